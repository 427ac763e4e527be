import { extname } from "node:path";

import { type Loader, transform } from "esbuild";

import { readRegular } from "@x/model";
import { checkNesting } from "../bundle/nesting.ts";
import type { Declared } from "./contract.ts";
import { readDeclared } from "./read-declared.ts";

const loaders: ReadonlyMap<string, Loader> = new Map([
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
]);

/** A file that is larger is known by its path until it is evaluated. */
const maxBytes = 512 * 1024;

async function declare(file: string): Promise<Declared> {
  try {
    const text = (await readRegular(file, maxBytes)).toString("utf8");
    if (checkNesting(text)) return { kind: "unknown", imports: [] };
    const loader = loaders.get(extname(file));
    if (!loader) return readDeclared(text);
    return readDeclared((await transform(text, { loader, logLevel: "silent" })).code);
  } catch {
    // A file that cannot be read or is no TypeScript: its evaluation says why.
    return { kind: "unknown", imports: [] };
  }
}

/** Reads files by parsing them alone, in order; never rejects. Runs in the bundling process. */
export async function declareFiles(files: readonly string[]): Promise<Declared[]> {
  const found: Declared[] = [];
  for (const file of files) found.push(await declare(file));
  return found;
}
