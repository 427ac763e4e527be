import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { compile, type Compiler } from "./compiler.cases.ts";

const cache = fileURLToPath(new URL("../../../../node_modules/.cache/typing/", import.meta.url));

/** The hash of all inputs: the compiler, its arguments, and each file that it may read. */
async function hashOf({ tsc, flags }: Compiler, folders: readonly string[], more: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  const version = await readFile(join(dirname(tsc), "../package.json"), "utf8");
  hash.update(JSON.stringify([version, flags, more]));
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const file of files.toSorted()) {
      const path = file.slice(folder.length);
      // The configuration contains the folder, which differs in each run.
      const text = (await readFile(file, "utf8")).replaceAll(dirname(folder), "");
      hash.update(JSON.stringify([path, text]));
    }
  }
  return hash.digest("hex");
}

/**
 * The output of a compiler for the project in a directory, with the declarations in `types`. Compilers are pure functions: for
 * equal input the cached output is returned.
 */
export async function compileOnce(
  compiler: Compiler,
  directory: string,
  types: string,
  ...more: readonly string[]
): Promise<string> {
  const hash = await hashOf(compiler, [directory, types], more);
  const file = join(cache, [compiler.name, ...directory.split("/").slice(-1)].join(" "));
  const before = await readFile(file, "utf8").catch(() => "");
  if (before.startsWith(`${hash}\n`)) return before.slice(hash.length + 1);
  const answer = await compile(compiler, directory, ...more);
  await mkdir(cache, { recursive: true });
  await writeFile(`${file}.${process.pid}`, `${hash}\n${answer}`);
  await rename(`${file}.${process.pid}`, file);
  return answer;
}
