import { isBuiltin } from "node:module";

import type { ImportKind } from "esbuild";

/** What an import specifier means, before any file is looked at. */
export type ImportMeaning =
  | { readonly kind: "virtual" }
  | { readonly kind: "relative" }
  | { readonly kind: "package"; readonly package: string; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Modules that every component can import: what TypeScript authors' files need when they run. */
export const virtualModules: ReadonlyMap<string, string> = new Map([
  [
    "@x/types",
    ["Component", "App", "Action", "Workflow"]
      .map((what) => `export const define${what} = (given) => given;\n`)
      .join(""),
  ],
]);

const noPackages = "packages are not available to this runtime";
const noBuiltins = "Node built-ins are not available to components in this release";
const packageName = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@[\w.~^+-]+)?(?:\/[\w.~@+-][\w./~@+-]*)?$/i;
const importKinds = new Set<ImportKind>(["import-statement", "require-call", "dynamic-import"]);

/** Denies by default: only what is named here is let through (reference: host files reach a bundle by every other form). */
export function importMeaning(
  specifier: string,
  kind: ImportKind,
  attributes: Readonly<Record<string, string>>,
): ImportMeaning {
  const refused = (reason: string): ImportMeaning => ({
    kind: "refused",
    reason: `"${specifier}" cannot be imported: ${reason}`,
  });
  if (!importKinds.has(kind)) return refused(`${kind} is not available to components`);
  const [attribute] = Object.entries(attributes);
  if (attribute && !(attribute[0] === "type" && attribute[1] === "json" && specifier.endsWith(".json"))) {
    return refused(`the only import attribute is type: "json", for a .json file`);
  }
  if (virtualModules.has(specifier)) return { kind: "virtual" };
  if (specifier.startsWith("node:") || isBuiltin(specifier)) {
    return { kind: "package", package: specifier, reason: noBuiltins };
  }
  if (/[?#\\]/.test(specifier) || specifier.split("").some((character) => character < " "))
    return refused("?, #, backslashes and control characters are not allowed");
  if (/^\.{1,2}(?:\/|$)/.test(specifier)) return { kind: "relative" };
  if (specifier.startsWith("/")) return refused("absolute paths are not allowed");
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) return refused("URLs are not allowed");
  const name = packageName.exec(specifier)?.[1];
  if (name === undefined || specifier.split("/").includes("..")) {
    return refused("it is neither a relative path nor the name of a package");
  }
  return { kind: "package", package: name, reason: noPackages };
}
