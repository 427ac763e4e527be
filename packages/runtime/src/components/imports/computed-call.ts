import type { Loader } from "esbuild";

import { type ComputedImport, findComputedImports, mayHaveComputedImport } from "./computed-imports.ts";
import { respell } from "./respell.ts";

/** What stands in for the calls whose path is put together at run time; as long as the name it stands for. */
const standIns = { require: "$equire", import: "$mport" } as const;
const definitions = {
  require: `function $equire(path) { throw Object.assign(new Error("Cannot find module '" + path + "': paths that are put together at run time are not bundled"), { code: "MODULE_NOT_FOUND" }); }`,
  import: `async function $mport(path) { throw Object.assign(new Error("Cannot find module '" + path + "': paths that are put together at run time are not bundled"), { code: "ERR_MODULE_NOT_FOUND" }); }`,
};

/** Places stay as they are. */
function withStandIns(code: string, computed: readonly ComputedImport[]): string {
  if (computed.length === 0) return code;
  const parts: string[] = [];
  let from = 0;
  for (const { callee, start, end } of computed) {
    parts.push(code.slice(from, start), standIns[callee].padEnd(end - start));
    from = end;
  }
  const added = [...new Set(computed.map(({ callee }) => definitions[callee]))];
  return `${parts.join("")}${code.slice(from)}\n${added.join("\n")}\n`;
}

/**
 * A package's code in which imports of computed paths throw: esbuild would look for their files on the host's disk.
 * Code that only esbuild can read throws as a whole. Rejects with esbuild's failure when it is no code.
 */
export async function withoutComputedCalls(text: string, sourcefile: string, loader: Loader): Promise<string> {
  if (!mayHaveComputedImport(text)) return text;
  const computed = findComputedImports(text);
  if (computed) return withStandIns(text, computed);
  const { code } = await respell(text, sourcefile, loader);
  const left = findComputedImports(code);
  if (left?.length === 0) return code;
  if (left) return withStandIns(code, left);
  return `throw new SyntaxError(${JSON.stringify(`${sourcefile} cannot be read`)});`;
}
