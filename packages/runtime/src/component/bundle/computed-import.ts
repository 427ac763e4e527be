import type { Loader, PartialMessage } from "esbuild";

import { isBuildFailure } from "./bundle-problem.ts";
import { isLiteralArgument, mayBeImportCall, respell } from "../imports/import-calls.ts";

/** Code that esbuild may bundle, or why it may not. */
export type CheckedCode = { readonly contents: string } | { readonly errors: PartialMessage[] };

/** Marks what esbuild's parser says of the code. */
export const parserDetail = "parser";

/** The calls in esbuild's own spelling, with an argument that begins with a text. */
const calls = /(?<![\w$])(?:import|require)(?:\.\w+)?(?:\?\.)?\((?=["'`])/g;
const shownChars = 40;

/** The first import in `code` of a path that is put together at run time. */
function findComputed(code: string): string | undefined {
  for (const { index, 0: call } of code.matchAll(calls)) {
    if (!isLiteralArgument(code, index + call.length)) return code.slice(index, index + shownChars).split("\n")[0];
  }
  return undefined;
}

/**
 * Refuses imports of paths that are put together at run time: esbuild would look for their files on the host's disk, from
 * its root on, and ask no plugin. It does so for dead code too, so what comes back is the code without it.
 */
export async function checkImports(text: string, sourcefile: string, loader: Loader): Promise<CheckedCode> {
  if (!mayBeImportCall.test(text)) return { contents: text };
  try {
    const code = await respell(text, sourcefile, loader);
    const computed = findComputed(code);
    if (computed === undefined) return { contents: code };
    return { errors: [{ text: `${computed}… cannot be bundled: the path of an import must be a string literal` }] };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return {
      errors: error.errors.map(({ text: problem, location }) => ({ text: problem, location, detail: parserDetail })),
    };
  }
}
