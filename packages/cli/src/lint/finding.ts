import { join } from "node:path";
import { SourceMap, type SourceMapPayload } from "node:module";

import type { Component, ComponentTexts } from "@x/runtime";

/** How bad it is: `error` does not work, `warning` may surprise, `info` could be better. */
export type Severity = "error" | "warning" | "info";

/** One thing that can be said about a component without running it. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** The prop it is about. */
  readonly prop?: string;
  /** Where it stands in the author's files, when that is certain; lines and columns count from 1. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A finding with its place in the bundle, as characters from its start. */
export interface BundleFinding extends Finding {
  readonly at?: number;
}

const quoted = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Where a member is written: the only place of the bundle that can be it, else undefined. */
function writtenAt(bundle: string, member: string): number | undefined {
  const name = quoted(member);
  const [first, second] = bundle.matchAll(new RegExp(String.raw`(?<![\w$.])(?:"${name}"|${name})\s*[:(]`, "g"));
  return second ? undefined : first?.index;
}

/** What the runtime warns about when the component is deployed. */
export const warningFindings = (
  { shape, bundle }: Pick<Component, "shape"> & Pick<ComponentTexts, "bundle">,
  folder: string,
): BundleFinding[] =>
  (shape.warnings ?? []).map(({ rule, path, message, file, line, column }) => {
    const member = path.slice(path.lastIndexOf("/") + 1);
    const at = file === undefined ? writtenAt(bundle, member.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined;
    const [, prop] = /^\/props\/([^/]+)/.exec(path) ?? [];
    return {
      rule,
      severity: "warning",
      message,
      fix: `x explain ${rule} tells more.`,
      ...(prop !== undefined && { prop }),
      ...(at !== undefined && { at }),
      ...(file !== undefined && { file: join(folder, file) }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    };
  });

/** A place in the author's files; line and column count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the author's place of a character of a bundle, by its source map; its files are in `folder`. */
export function createLocator(
  { bundle, sourceMap }: Pick<ComponentTexts, "bundle" | "sourceMap">,
  folder: string,
): (at: number) => Place | undefined {
  const map = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload);
  return (at) => {
    const before = bundle.slice(0, at).split("\n");
    const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    if (!("originalSource" in entry)) return undefined;
    return {
      file: join(folder, entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  };
}
