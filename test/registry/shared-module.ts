import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createRuntime } from "@x/runtime";

const moduleBytes = 378 * 1024;

/** Numbers that look random, the same each time. */
function* numbers(): Generator<number, never> {
  for (let state = 0x2545_f491; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

/** Code of about so many bytes that hardly repeats anything. */
function variedCode(bytes: number): string {
  const random = numbers();
  const word = (): string => `v${random.next().value.toString(36)}${random.next().value.toString(36)}`;
  let code = "";
  for (let n = 0; code.length < bytes; n += 1)
    code += `export function ${word()}(${word()}) {\n  return ["${word()}", ${random.next().value}, ${random.next().value}].at(${n % 3});\n}\n`;
  return code;
}

/** Makes a registry of components that import the whole of one module beside them; returns its folder. */
async function makeTree(root: string, components: number): Promise<string> {
  const folder = join(root, "components");
  await mkdir(join(folder, "app", "common"), { recursive: true });
  await writeFile(join(folder, "app", "common", "large.mjs"), variedCode(moduleBytes));
  for (let n = 0; n < components; n += 1) {
    const name = `take-${n}`;
    await mkdir(join(folder, "app", "actions", name), { recursive: true });
    const code = `import * as large from "../../common/large.mjs";
export default {
  key: "app-${name}",
  name: "Take ${n}",
  version: "0.0.${n}",
  type: "action",
  props: { at: { type: "integer", label: "Place ${n}" } },
  async run() {
    return Object.values(large)[this.at + ${n}](${n});
  },
};
`;
    await writeFile(join(folder, "app", "actions", name, `${name}.mjs`), code);
  }
  return folder;
}

export interface SharedModuleFigures {
  /** How many components the catalogue lists. */
  readonly listed: number;
  /** Size of the data file with its log. */
  readonly bytes: number;
}

/** Reads a registry of components that share one module of 378 kB, and measures the data file. */
export async function measureSharedModule(components: number): Promise<SharedModuleFigures> {
  const work = await mkdtemp(join(tmpdir(), "x-shared-module-"));
  try {
    const [registry, data] = [await makeTree(work, components), join(work, "data")];
    const runtime = await createRuntime({ registry, data, packages: false });
    const items = await runtime.registry();
    await runtime.close();
    const files = (await readdir(data)).filter((name) => name.startsWith("x.db"));
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(data, name))).size));
    return {
      listed: items.filter(({ problem }) => problem === undefined).length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    };
  } finally {
    await rm(work, { recursive: true });
  }
}
