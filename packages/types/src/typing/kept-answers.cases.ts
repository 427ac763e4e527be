import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { compile, type Compiler } from "./compiler.cases.ts";

const kept = fileURLToPath(new URL("../../../../node_modules/.cache/typing/", import.meta.url));

/** Everything that an answer depends on: the compiler, how it is asked, and each file that it may read. */
async function hashOf({ tsc, flags }: Compiler, folders: readonly string[], more: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  const version = await readFile(join(dirname(tsc), "../package.json"), "utf8");
  hash.update(JSON.stringify([version, flags, more]));
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const file of files.toSorted()) {
      const path = file.slice(folder.length);
      // The configuration names the folder, which is another one each time.
      const text = (await readFile(file, "utf8")).replaceAll(dirname(folder), "");
      hash.update(JSON.stringify([path, text]));
    }
  }
  return hash.digest("hex");
}

/**
 * What a compiler prints about the project in a directory that has its declarations in `types`. Compilers are pure functions
 * of their input: for the same one, the answer is that of the last time.
 */
export async function compileOnce(
  compiler: Compiler,
  directory: string,
  types: string,
  ...more: readonly string[]
): Promise<string> {
  const hash = await hashOf(compiler, [directory, types], more);
  const file = join(kept, [compiler.name, ...directory.split("/").slice(-1)].join(" "));
  const before = await readFile(file, "utf8").catch(() => "");
  if (before.startsWith(`${hash}\n`)) return before.slice(hash.length + 1);
  const answer = await compile(compiler, directory, ...more);
  await mkdir(kept, { recursive: true });
  await writeFile(`${file}.${process.pid}`, `${hash}\n${answer}`);
  await rename(`${file}.${process.pid}`, file);
  return answer;
}
