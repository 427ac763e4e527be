import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { resolveLimits } from "@x/model";
import type { SentFiles } from "../contract.ts";
import { createBuilder } from "./bundler.ts";
import { findRoot } from "./root-folder.ts";
import { realRootOf } from "./source-set.ts";

/** The text; undefined when there is no such file. */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * The files of a component on this machine, to deploy it elsewhere: the file, what it imports inside `root` (default: that of
 * `findRoot`), and the package.json and tsconfig.json files that it depends on. Nothing is evaluated or installed. Rejects with
 * `bundle_failed`, as a deploy of the file does.
 */
export async function readComponentFiles(input: { readonly file: string; readonly root?: string }): Promise<SentFiles> {
  const root = input.root ?? findRoot(input.file);
  const limits = resolveLimits();
  const builder = createBuilder({
    timeoutMs: limits.bundleTimeoutMs,
    memoryBytes: limits.bundleMemoryBytes,
    codeBytes: limits.codeBytes,
  });
  try {
    const built = await builder.build({ file: input.file, root }, { conditions: "node" });
    const { files, manifests = [], tsconfig } = "needed" in built ? (built.seen ?? { files: [] }) : built;
    const folder = realRootOf({ file: input.file, root });
    const texts: { [name: string]: string } = {};
    for (const name of new Set([...files, ...manifests])) {
      const text = await readIfThere(join(folder, name));
      if (text !== undefined) texts[name] = text;
    }
    // What it extends may be outside of the root.
    if (tsconfig) texts[tsconfig.name] = tsconfig.text;
    return { entry: files[0] ?? "", files: texts };
  } finally {
    await builder.close();
  }
}
