import { join } from "node:path";

import type { Component, ComponentTexts } from "@x/runtime";

import type { FoundInBundle } from "./finding.ts";

const quoted = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Where a member is written: the only place of the bundle that can be it, else undefined. */
function writtenAt(bundle: string, member: string): number | undefined {
  const name = quoted(member);
  const [first, second] = bundle.matchAll(new RegExp(String.raw`(?<![\w$.])(?:"${name}"|${name})\s*[:(]`, "g"));
  return second ? undefined : first?.index;
}

/** What the runtime warns about when the component is deployed. */
export const shapeFindings = (
  { shape, bundle }: Pick<Component, "shape"> & Pick<ComponentTexts, "bundle">,
  folder: string,
): FoundInBundle[] =>
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
