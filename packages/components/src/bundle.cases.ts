import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";

import { XError } from "../../model/src/errors.ts";
import { createBundler } from "./bundle/bundler.ts";
import type { Bundler } from "./contract.ts";

/** One for all tests of a process: it keeps nothing of what it builds. It ends with the process. */
export const testBundler: Bundler = createBundler({
  timeoutMs: 20_000,
  memoryBytes: 512 * 1024 * 1024,
  codeBytes: 512 * 1024,
});

/** What CommonJS text exports. */
export function evaluate(bundle: string): unknown {
  const module = { exports: {} };
  runInNewContext(`(function (module, exports) {${bundle}\n})`)(module, module.exports);
  return JSON.parse(JSON.stringify(module.exports));
}

/** The error of the runtime that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<XError> {
  const outcome = await promise.then(
    () => new Error("It did not fail."),
    (error: unknown) => error,
  );
  if (XError.is(outcome)) return outcome;
  throw outcome;
}

/** Writes files below a new folder and returns its path. */
export function writeFiles(parent: string, name: string, files: Record<string, string | Uint8Array>): string {
  const root = join(parent, name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}
