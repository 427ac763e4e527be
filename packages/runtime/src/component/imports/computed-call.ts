import type { Loader } from "esbuild";

import { isLiteralArgument, mayBeImportCall, respell } from "./import-calls.ts";

/** What stands in for the calls whose path is put together at run time; as long as the name it stands for. */
const standIns = { require: "$equire", import: "$mport" } as const;
const definitions = {
  require: `function $equire(path) { throw Object.assign(new Error("Cannot find module '" + path + "': paths that are put together at run time are not bundled"), { code: "MODULE_NOT_FOUND" }); }`,
  import: `async function $mport(path) { throw Object.assign(new Error("Cannot find module '" + path + "': paths that are put together at run time are not bundled"), { code: "ERR_MODULE_NOT_FOUND" }); }`,
};

const plainCalls = /(?<![\w$.])(?:import|require)\(\s*(?:"[^"\\\n]*"|'[^'\\\n]*')\s*\)/g;
/** No method of that name. In esbuild's own spelling, with an argument that begins with a text. */
const calls = /(?<![\w$]|(?<!\.\.)\.)(import|require)(?:\.\w+)?(?:\?\.)?\((?=["'`])/g;

/**
 * A package's code in which imports of computed paths throw: esbuild would look for their files on the host's disk.
 * Rejects with esbuild's failure when it is no code.
 */
export async function withoutComputedCalls(text: string, sourcefile: string, loader: Loader): Promise<string> {
  if (!mayBeImportCall.test(text.replaceAll(plainCalls, ""))) return text;
  const code = await respell(text, sourcefile, loader);
  const used = new Set<keyof typeof standIns>();
  const safe = code.replaceAll(calls, (call: string, callee: keyof typeof standIns, at: number) => {
    if (isLiteralArgument(code, at + call.length)) return call;
    used.add(callee);
    return standIns[callee] + call.slice(callee.length);
  });
  if (used.size === 0) return code;
  // Before the comment with the map, which has to come last.
  const map = safe.lastIndexOf("//# sourceMappingURL=");
  const added = [...used].map((callee) => definitions[callee]).join("\n");
  return `${safe.slice(0, map)}\n${added}\n${safe.slice(map)}`;
}
