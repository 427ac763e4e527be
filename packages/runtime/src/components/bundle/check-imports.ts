import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import type { Loader, PartialMessage } from "esbuild";

import { isBuildFailure, sourceLocation } from "./bundle-problem.ts";
import { findComputedImports, mayHaveComputedImport } from "../imports/computed-imports.ts";
import { respell } from "../imports/respell.ts";

/** Code that esbuild may bundle, or why it may not. */
export type CheckedCode = { readonly contents: string } | { readonly errors: PartialMessage[] };

/** Marks what esbuild's parser says of the code. */
export const parserDetail = "parser";

const shownChars = 40;

/** Where a character of the code that was made of a text stands in that text. */
function placeIn(text: string, { code, map }: { readonly code: string; readonly map: string }, at: number): number {
  const before = code.slice(0, at).split("\n");
  const place = { line: before.length, column: before.at(-1)?.length ?? 0 };
  const { line, column } = originalPositionFor(new TraceMap(map), place);
  const lines = text.split("\n").slice(0, (line ?? 1) - 1);
  return lines.reduce((sum, each) => sum + each.length + 1, column ?? 0);
}

/**
 * Refuses imports of paths that are put together at run time: esbuild would look for their files on the host's disk, from
 * its root on, and ask no plugin. It does so for dead code too, so what comes back is the code without it.
 */
export async function checkImports(text: string, file: string, loader: Loader): Promise<CheckedCode> {
  if (!mayHaveComputedImport(text)) return { contents: text };
  if (loader === "js" && findComputedImports(text)?.length === 0) return { contents: text };
  try {
    const respelled = await respell(text, file, loader);
    const computed = findComputedImports(respelled.code);
    if (computed?.length === 0) return { contents: respelled.code };
    const at = placeIn(text, respelled, computed?.[0]?.start ?? 0);
    const shown = computed
      ? `${text.slice(at, at + shownChars).split("\n")[0]}… cannot be bundled`
      : "this code cannot be checked";
    const location = sourceLocation(file, text, at);
    return { errors: [{ text: `${shown}: the path of an import must be a string literal`, location }] };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return {
      errors: error.errors.map(({ text: problem, location }) => ({ text: problem, location, detail: parserDetail })),
    };
  }
}
