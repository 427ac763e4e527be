import { isBuiltin } from "node:module";

import type { ImportKind } from "esbuild";

import { findRefusal, parsePackageSpecifier } from "./package-specifier.ts";

/** The meaning of an import specifier, before any file is read. */
export type ImportMeaning =
  | { readonly kind: "virtual" }
  | { readonly kind: "relative" }
  /** A Node built-in, named without `node:`. */
  | { readonly kind: "builtin"; readonly name: string }
  | { readonly kind: "package"; readonly package: string; readonly reason: string; readonly why?: "refused" }
  | { readonly kind: "refused"; readonly reason: string };

/** Modules that every component can import: `@x/types` has functions that exist at run time. */
export const virtualModules: ReadonlyMap<string, string> = new Map([
  [
    "@x/types",
    ["Component", "App", "Action", "Workflow", "Mixin", "Config"]
      .map((what) => `export const define${what} = (given) => given;\n`)
      .join(""),
  ],
]);

/** Replacements for packages that were published without code. */
export const typesOnlyModules: ReadonlyMap<string, string> = new Map([
  [
    "@pipedream/types",
    ["Component", "App", "Action", "Source"].map((what) => `export const define${what} = (given) => given;\n`).join(""),
  ],
]);

const noPackages = "packages are not available to this runtime";
/** The message for a built-in that components do not have. */
export const noBuiltin = "components have no built-in of that name";
const importKinds = new Set<ImportKind>(["import-statement", "require-call", "dynamic-import"]);
/** False for forms that components do not have, such as `require.resolve`. */
export const isImport = (kind: ImportKind): boolean => importKinds.has(kind);

/** Classifies an import. Denies by default, because other forms could read files of the host. */
export function importMeaning(
  specifier: string,
  kind: ImportKind,
  attributes: Readonly<Record<string, string>>,
): ImportMeaning {
  const refused = (reason: string): ImportMeaning => ({
    kind: "refused",
    reason: `"${specifier}" cannot be imported: ${reason}`,
  });
  if (!isImport(kind)) return refused(`${kind} is not available to components`);
  const [attribute] = Object.entries(attributes);
  if (attribute && !(attribute[0] === "type" && attribute[1] === "json" && specifier.endsWith(".json"))) {
    return refused(`the only import attribute is type: "json", for a .json file`);
  }
  if (virtualModules.has(specifier)) return { kind: "virtual" };
  const refusal = findRefusal(specifier);
  if (refusal !== undefined) return { kind: "package", package: specifier, reason: refusal, why: "refused" };
  if (isBuiltin(specifier)) return { kind: "builtin", name: specifier.replace(/^node:/, "") };
  if (specifier.startsWith("node:")) return { kind: "package", package: specifier, reason: noBuiltin };
  if (/[?#\\]/.test(specifier) || specifier.split("").some((character) => character < " "))
    return refused("?, #, backslashes and control characters are not allowed");
  if (/^\.{1,2}(?:\/|$)/.test(specifier)) return { kind: "relative" };
  if (specifier.startsWith("/")) return refused("absolute paths are not allowed");
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) return refused("URLs are not allowed");
  const parsed = parsePackageSpecifier(specifier);
  if (!parsed)
    return refused(
      "it is neither a relative path nor the name of a package, and no paths of a tsconfig.json in the component's root folder have it",
    );
  return { kind: "package", package: parsed.name, reason: noPackages };
}
