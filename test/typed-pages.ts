import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { blocksIn } from "./markdown-blocks.ts";

const readmes = [
  "",
  ...["types", "client", "sandbox", "runtime", "testing", "server", "inspector", "postgres", "cli", "create"].map(
    (name) => `packages/${name}`,
  ),
];

// A block may have an unused parameter.
const compilerOptions = {
  noEmit: true,
  allowImportingTsExtensions: true,
  types: ["node"],
  noUnusedLocals: false,
  noUnusedParameters: false,
};

export interface TypedPages {
  /** A folder with a `tsconfig.json`. */
  readonly folder: string;
  readonly files: readonly string[];
}

/** The TypeScript of the readmes and the pages as a project inside the repository, so that imports of the packages resolve. */
export async function writeTypedPages(root: string): Promise<TypedPages> {
  await mkdir(join(root, "test/.tmp"), { recursive: true });
  const folder = await mkdtemp(join(root, "test/.tmp/pages-"));
  const files: string[] = [];
  const keep = async (file: string, text: string): Promise<void> => {
    files.push(file);
    await writeFile(join(folder, file), text);
  };
  for (const readme of readmes)
    for (const { info, text, file } of blocksIn(await readFile(join(root, readme, "README.md"), "utf8")))
      // A test of a component in JavaScript, which has no types.
      if (info === "ts" && !file?.endsWith(".test.ts")) await keep(`block-${files.length}.ts`, text);
  for (const page of globSync("{.,guides,concepts}/*.md", { cwd: join(root, "docs") })) {
    await mkdir(join(folder, page), { recursive: true });
    for (const { file, text } of blocksIn(await readFile(join(root, "docs", page), "utf8")))
      if (file?.endsWith(".ts")) await keep(`${page}/${file}`, text);
  }
  const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, files };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  return { folder, files };
}
