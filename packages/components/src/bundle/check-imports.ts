import type { Loader, PartialMessage, TsconfigRaw } from "esbuild";

import { isBuildFailure, sourceLocation } from "./bundle-problem.ts";
import { findComputedImports, mayHaveComputedImport } from "../imports/computed-imports.ts";
import { respell } from "../imports/respell.ts";
import { sourceMaps } from "./source-maps.ts";

/** Code that esbuild may bundle, or why it may not. */
export type CheckedCode = { readonly contents: string } | { readonly errors: PartialMessage[] };

/** Marks messages of esbuild's parser. */
export const parserDetail = "parser";

const shownChars = 40;

/** The index in the original text of a character of generated code. */
function originalIndex(
  text: string,
  { code, map }: { readonly code: string; readonly map: string },
  at: number,
): number {
  const before = code.slice(0, at).split("\n");
  const position = { line: before.length, column: before.at(-1)?.length ?? 0 };
  const { originalPositionFor, TraceMap } = sourceMaps();
  const { line, column } = originalPositionFor(new TraceMap(map), position);
  const lines = text.split("\n").slice(0, (line ?? 1) - 1);
  return lines.reduce((sum, each) => sum + each.length + 1, column ?? 0);
}

/**
 * Refuses imports of computed paths: esbuild would search the host's disk for them without a plugin, also in dead code.
 * Returns the code without dead code.
 */
export async function checkImports(
  text: string,
  file: string,
  loader: Loader,
  tsconfigRaw: TsconfigRaw,
): Promise<CheckedCode> {
  if (!mayHaveComputedImport(text)) return { contents: text };
  if (loader === "js" && findComputedImports(text)?.length === 0) return { contents: text };
  try {
    const respelled = await respell(text, file, loader, tsconfigRaw);
    const computed = findComputedImports(respelled.code);
    if (computed?.length === 0) return { contents: respelled.code };
    const at = originalIndex(text, respelled, computed?.[0]?.start ?? 0);
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
