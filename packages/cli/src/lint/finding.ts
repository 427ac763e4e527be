import { join } from "node:path";
import { SourceMap, type SourceMapping, type SourceMapPayload } from "node:module";

import { membersOf } from "@x/model";
import type { Component, ComponentTexts } from "@x/runtime";

/** `error`: does not work; `warning`: may surprise; `info`: could be better. */
export type Severity = "error" | "warning" | "info";

/** One finding of a static check. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** How to fix it. */
  readonly fix: string;
  /** The prop with the problem. */
  readonly prop?: string;
  /** Source location, when it is certain; lines and columns count from 1. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A finding with its offset in the bundle. */
export interface BundleFinding extends Finding {
  readonly offset?: number;
}

const quoted = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** The offset of a member in the bundle; undefined when it is not unique. */
function offsetOf(bundle: string, member: string): number | undefined {
  const name = quoted(member);
  const [first, second] = bundle.matchAll(new RegExp(String.raw`(?<![\w$.])(?:"${name}"|${name})\s*[:(]`, "g"));
  return second ? undefined : first?.index;
}

/** The warnings that the runtime logs when the component is deployed. */
export const warningFindings = (
  { shape, bundle }: Pick<Component, "shape"> & Pick<ComponentTexts, "bundle">,
  folder: string,
): BundleFinding[] =>
  (shape.warnings ?? []).map(({ rule, path, message, file, line, column }) => {
    const offset = file === undefined ? offsetOf(bundle, membersOf(path).at(-1) ?? "") : undefined;
    const [, prop] = /^\/props\/([^/]+)/.exec(path) ?? [];
    return {
      rule,
      severity: "warning",
      message,
      fix: `See x explain ${rule}.`,
      ...(prop !== undefined && { prop }),
      ...(offset !== undefined && { offset }),
      ...(file !== undefined && { file: join(folder, file) }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    };
  });

/** A location in the author's files; line and column count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the entry of a source map for an offset in the bundle; undefined for code of no file. */
function entryFinder({
  bundle,
  sourceMap,
}: Pick<ComponentTexts, "bundle" | "sourceMap">): (offset: number) => SourceMapping | undefined {
  const map = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload);
  return (offset) => {
    const before = bundle.slice(0, offset).split("\n");
    const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    return "originalSource" in entry ? entry : undefined;
  };
}

/** True for offsets in code of the author: the source map has the texts of their files only. */
export function createOwnership(texts: Pick<ComponentTexts, "bundle" | "sourceMap">): (offset: number) => boolean {
  const entryOf = entryFinder(texts);
  const { sources, sourcesContent = [] } = JSON.parse(texts.sourceMap) as {
    sources: string[];
    sourcesContent?: (string | null)[];
  };
  const own = new Set(sources.filter((_, index) => typeof sourcesContent[index] === "string"));
  return (offset) => {
    const entry = entryOf(offset);
    return entry !== undefined && own.has(entry.originalSource);
  };
}

/** Maps offsets in a bundle to source locations; `folder` is the folder of the source files. */
export function createLocator(
  texts: Pick<ComponentTexts, "bundle" | "sourceMap">,
  folder: string,
): (offset: number) => SourceLocation | undefined {
  const entryOf = entryFinder(texts);
  return (offset) => {
    const entry = entryOf(offset);
    if (!entry) return undefined;
    return {
      file: join(folder, entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  };
}
