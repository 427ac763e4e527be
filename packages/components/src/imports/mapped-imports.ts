import { isBuiltin } from "node:module";
import { posix } from "node:path";

import type { SourceSet } from "../bundle/source-set.ts";
import { isRecord } from "../shown-value.ts";
import { typesOnlyModules, virtualModules } from "./import-policy.ts";
import type { ManifestImports, Manifests } from "./manifests.ts";
import type { ImportForm } from "./package-resolver.ts";
import { parsePackageSpecifier } from "./package-specifier.ts";
import { matchPattern } from "./pattern.ts";
import { relativePath } from "./relative-path.ts";
import type { TsConfig } from "./tsconfig.ts";

/** What the settings of a project make of an import: a relative path or a package, or why it is refused. */
export type MappedImport = { readonly path: string } | { readonly refused: string };

/** Maps the imports of the author's files by `paths` and `baseUrl` of tsconfig.json, and by `imports` of package.json. */
export interface MappedImports {
  map(specifier: string, importer: string, form: ImportForm): MappedImport;
}

export interface MappedImportsParts {
  readonly sources: SourceSet;
  readonly tsconfig: TsConfig | undefined;
  readonly manifests: Manifests | undefined;
  /** Called for a path that leads to no file, because one may be there later. */
  readonly missed: (path: string, importer: string) => void;
}

const isFixed = (specifier: string): boolean =>
  /^(?:\.{1,2}(?:\/|$)|\/)/.test(specifier) ||
  isBuiltin(specifier) ||
  virtualModules.has(specifier) ||
  typesOnlyModules.has(specifier) ||
  specifier.split("").some((character) => character < " ");

/** The target for the first condition that applies, as in Node; undefined without one. */
function targetOf(target: unknown, conditions: ReadonlySet<string>): string | undefined {
  if (typeof target === "string") return target;
  if (Array.isArray(target)) {
    for (const each of target) {
      const found = targetOf(each, conditions);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isRecord(target)) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    if (!conditions.has(condition)) continue;
    const found = targetOf(inner, conditions);
    if (found !== undefined || inner === null) return found;
  }
  return undefined;
}

/** Maps `#name` as Node does. */
function mapByImports(
  specifier: string,
  importer: string,
  form: ImportForm,
  found: ManifestImports | { readonly problem: string } | undefined,
): MappedImport {
  const refused = (reason: string): MappedImport => ({ refused: `"${specifier}" cannot be imported: ${reason}` });
  if (!found) return refused("no package.json in the component's root folder has imports");
  if ("problem" in found) return { refused: found.problem };
  const { manifest, imports } = found;
  const match = matchPattern(Object.keys(imports), specifier);
  if (!match) return refused(`imports of ${manifest} does not have it`);
  const target = targetOf(imports[match.key], new Set([form, "node", "module-sync", "default"]));
  if (target === undefined) return refused(`imports of ${manifest} has no file for it`);
  const path = target.replaceAll("*", () => match.star);
  if (!path.startsWith("./")) return { path };
  return { path: relativePath(posix.dirname(importer), posix.join(posix.dirname(manifest), path)) };
}

export function createMappedImports({ sources, tsconfig, manifests, missed }: MappedImportsParts): MappedImports {
  /** Undefined when tsconfig.json does not mention the import. */
  function mapByPaths(specifier: string, importer: string): MappedImport | undefined {
    if (!tsconfig) return undefined;
    const { names, key } = tsconfig.namesOf(specifier);
    const reasons: string[] = [];
    for (const name of names) {
      const path = relativePath(posix.dirname(importer), name);
      const found = sources.find(path, importer);
      if ("name" in found) return { path };
      missed(path, importer);
      if ("refused" in found) reasons.push(found.refused);
    }
    const [reason] = reasons;
    const isPackage =
      key === undefined || key === "*" || manifests?.declared(importer, nameOf(specifier)) !== undefined;
    if (reason === undefined || isPackage) return undefined;
    return { refused: `"${specifier}" is "${names.join(`" or "`)}" by paths of ${tsconfig.name}: ${reason}` };
  }

  return {
    map(specifier, importer, form) {
      if (isFixed(specifier)) return { path: specifier };
      const mapped = mapByPaths(specifier, importer);
      if (mapped) return mapped;
      if (specifier.startsWith("#")) return mapByImports(specifier, importer, form, manifests?.imports(importer));
      return { path: specifier };
    },
  };
}

const nameOf = (specifier: string): string => parsePackageSpecifier(specifier)?.name ?? specifier;
