import { limitedHints, type ComponentWarning } from "@x/model";
import { bundleLocations } from "./author/problem-locations.ts";
import { findExported } from "./author/exported.ts";
import { undeclaredReads } from "./author/undeclared-reads.ts";
import { maxProblems } from "./bounds.ts";
import type { Bundled } from "./contract.ts";
import { isFunction, isRecord, shownName } from "./shown-value.ts";

/** Parsing a bundle of this size takes 0.1 seconds. */
const maxChars = 512 * 1024;
const ofEveryObject = Object.getOwnPropertyNames(Object.prototype);
const uses = /\bthis\s*(?:\?\s*)?\.\s*([\p{ID_Continue}$]+)|\}\s*=\s*this\b/gu;

const namesIn = (described: { readonly [member: string]: unknown }, member: string): string[] => {
  const value = Object.hasOwn(described, member) ? described[member] : undefined;
  return isRecord(value) ? Object.keys(value) : [];
};

/** Functions beside `run` have their own warning. */
const isStray = (described: { readonly [member: string]: unknown }, name: string): boolean =>
  name !== "run" && Object.hasOwn(described, name) && isFunction(described[name]);

/** Warnings about reads of undeclared members of `this`. Parses the code only when its text suggests one. */
export function undeclaredWarnings(
  described: unknown,
  { bundle, sourceMap, code, packages }: Pick<Bundled, "bundle" | "sourceMap" | "code" | "packages">,
): ComponentWarning[] {
  if (!isRecord(described) || Object.hasOwn(described, "additionalProps") || bundle.length > maxChars) return [];
  const declared = [...namesIn(described, "props"), ...namesIn(described, "methods"), "$emit"];
  const known = new Set([...declared, ...ofEveryObject]);
  // Packages have many members of their own.
  const own = packages === undefined ? bundle : code;
  const isSuspect = [...own.matchAll(uses)].some(([, name]) => name === undefined || !known.has(name));
  const exported = isSuspect ? findExported(bundle) : undefined;
  const reads = exported ? undeclaredReads(exported, known).filter(({ name }) => !isStray(described, name)) : [];
  if (reads.length === 0) return [];

  const placeOf = bundleLocations(bundle, sourceMap);
  const hint = limitedHints();
  const warnings: ComponentWarning[] = [];
  for (const { name, path, at } of reads) {
    if (warnings.length >= maxProblems) break;
    const place = placeOf(at);
    if (!place) continue;
    const message = `this.${shownName(name)} is undefined: the component has no prop or method of this name, and nothing sets it`;
    warnings.push({ rule: "undeclared-member", path, message: message + hint(name, declared), ...place });
  }
  return warnings;
}
