import type { Loader, OnLoadResult, OnResolveResult, PartialMessage, Plugin, TsconfigRaw } from "esbuild";

import type { ComponentWarning } from "@x/model";
import { resolveBuiltin } from "../builtin-modules.ts";
import type { ImportLink, UnresolvedImport } from "./bundle-messages.ts";
import { checkNesting } from "./nesting.ts";
import { checkImports } from "./check-imports.ts";
import type { MissingFile } from "../contract.ts";
import { dynamicImport } from "../imports/dynamic-import.ts";
import type { MappedImports } from "../imports/mapped-imports.ts";
import { importMeaning, isImport, noBuiltin, typesOnlyModules, virtualModules } from "../imports/import-policy.ts";
import type { Declared, Manifests } from "../imports/manifests.ts";
import { hasModuleSyntax, moduleId, nameOfId } from "../imports/node-format.ts";
import { formOf, type PackageModules, packageNamespace, withoutSourceMap } from "../imports/package-plugin.ts";
import type { PackageSource } from "../imports/package-source.ts";
import type { ImportForm } from "../imports/package-resolver.ts";
import { parsePackageSpecifier, type PackageSpecifier } from "../imports/package-specifier.ts";
import type { PackageRequest } from "../packages/contract.ts";
import { sourceLocation } from "./bundle-problem.ts";
import { refuseMetadata } from "./decorators.ts";
import type { SourceSet } from "./source-set.ts";
import type { TsConfig } from "../imports/tsconfig.ts";

/** Modules in these namespaces have no folder, so esbuild never reads the disk for them. */
export const componentNamespace = "component";
const virtualNamespace = "virtual";
const missingNamespace = "missing";

/** Files that a build read, and what it still needs. */
export interface BuildFindings {
  readonly inputs: Map<string, string>;
  readonly missing: Map<string, MissingFile>;
  /** Packages that must be installed first, each once. */
  readonly needed: Map<string, PackageRequest>;
  readonly trail: FileTrail;
  /** Packages whose version a package.json declares: name, manifest and range. */
  readonly declared: Map<string, readonly string[]>;
}

/** The author's files that all attempts of a build read. */
export interface FileTrail {
  /** Text by name. */
  readonly texts: Map<string, string>;
  readonly links: Map<string, ImportLink>;
  /** Imports that the project's settings map, and to what. */
  readonly mapped: Map<string, string>;
  /** Warnings by position. */
  readonly warnings: Map<string, ComponentWarning>;
}

/** Resolves a component's imports of packages. */
export interface ComponentPackages {
  readonly source: PackageSource;
  readonly modules: PackageModules;
  /** Absent for code sent as text. */
  readonly manifests?: Manifests | undefined;
  /** False: the build only collects the needed packages and uses placeholders. */
  readonly whole: boolean;
}

/** The author's files, and the settings of their project. */
export interface OwnFiles {
  readonly sources: SourceSet;
  readonly mappedImports: MappedImports;
  readonly tsconfig: TsConfig | undefined;
}

/** A file of the author, prepared for esbuild. */
interface PreparedFile {
  readonly result: OnLoadResult;
  /** True for an ES module, by its syntax. */
  readonly isModule: boolean;
}

/** Resolves an import of a package; undefined without packages, and for what cannot be one. */
function resolvePackage(
  { path, importer, form }: { readonly path: string; readonly importer: string; readonly form: ImportForm },
  packages: ComponentPackages | undefined,
  { needed, declared: ranges }: BuildFindings,
): OnResolveResult | undefined {
  const specifier = packages && parsePackageSpecifier(path);
  if (!specifier) return undefined;
  const { name, spec } = specifier;
  const declared = spec === undefined ? packages.manifests?.declared(importer, name) : undefined;
  if (declared && "problem" in declared) return { errors: [{ text: declared.problem }] };
  if (declared) ranges.set(`${declared.manifest} ${name}`, [name, declared.manifest, declared.range]);
  const found = packages.source.fromComponent(specifier, form, importer, declared);
  if (found && "absent" in found) {
    if (typesOnlyModules.has(path)) return { path, namespace: virtualNamespace };
    const why = found.why === "absent" ? {} : { why: found.why };
    return { errors: [unresolved({ package: name, specifier: path, importer, reason: found.absent, ...why })] };
  }
  const resolved = packages.modules.resolve(found, path, importer);
  if (resolved && (packages.whole || resolved.namespace !== packageNamespace)) return resolved;
  if (!resolved && declared && declared.spec === undefined) {
    const reason = `${declared.manifest} asks for "${declared.range}", which no registry has, and it is not installed beside the component`;
    return { errors: [unresolved({ package: name, specifier: path, importer, reason, why: "refused" })] };
  }
  if (!resolved) need(needed, specifier, importer, declared);
  return { path: `${path}#`, namespace: missingNamespace };
}

/** Notes a package that must be installed, at its first import. */
function need(
  needed: BuildFindings["needed"],
  { name, spec: written }: PackageSpecifier,
  importer: string,
  declared: Declared | undefined,
): void {
  const spec = written ?? declared?.spec;
  const id = JSON.stringify([name, spec, declared?.manifest]);
  if (needed.has(id)) return;
  needed.set(id, {
    name,
    importer,
    ...(spec !== undefined && { spec }),
    ...(declared && { declared: { manifest: declared.manifest, range: declared.range } }),
  });
}

/** Checks a file of the author, and notes its text. */
async function prepare(
  name: string,
  { sources, tsconfig }: OwnFiles,
  javascriptLoader: Loader,
  { inputs, trail }: BuildFindings,
): Promise<PreparedFile> {
  const tsconfigRaw: TsconfigRaw = { compilerOptions: tsconfig?.compilerOptions ?? {} };
  const failed = (error: PartialMessage): PreparedFile => ({ result: { errors: [error] }, isModule: false });
  const source = sources.read(name);
  if ("refused" in source) return failed({ text: source.refused });
  const nesting = checkNesting(source.text);
  const id = `${componentNamespace}:${name}`;
  if (nesting) return failed({ text: nesting.message, location: sourceLocation(id, source.text, nesting.at) });
  inputs.set(name, source.text);
  trail.texts.set(name, source.text);
  if (source.language === "json") return { result: { contents: source.text, loader: "json" }, isModule: false };
  // A bundle is a part of a function, where a first line for the shell is no comment.
  const text = (source.code ?? withoutSourceMap(source.text)).replace(/^#!/, "//");
  const loader = source.language === "js" ? javascriptLoader : source.language;
  const checked = await checkImports(text, id, loader, tsconfigRaw);
  if ("errors" in checked) return { result: checked, isModule: false };
  const isTyped = loader === "ts" || loader === "tsx";
  const metadata = isTyped && tsconfig?.emitsMetadata ? await refuseMetadata(text, loader, name, tsconfig) : undefined;
  if (metadata) return failed(metadata);
  const isModule = await hasModuleSyntax(name, checked.contents, loader, tsconfigRaw);
  return { result: { ...checked, loader }, isModule };
}

/** Resolves and reads all modules of a build through `sources`, and records them. */
export function sourcePlugin(
  own: OwnFiles,
  javascriptLoader: Loader,
  findings: BuildFindings,
  packages?: ComponentPackages,
): Plugin {
  const { sources, mappedImports } = own;
  const { missing, trail } = findings;
  const prepared = new Map<string, Promise<PreparedFile>>();
  function prepareOnce(name: string): Promise<PreparedFile> {
    const known = prepared.get(name) ?? prepare(name, own, javascriptLoader, findings);
    prepared.set(name, known);
    return known;
  }

  async function resolveOwn(name: string): Promise<OnResolveResult> {
    const { isModule } = await prepareOnce(name);
    return { path: isModule ? moduleId(name) : name, namespace: componentNamespace };
  }

  return {
    name: "component-source",
    setup(build) {
      build.onResolve({ filter: /.*/ }, async (asked): Promise<OnResolveResult> => {
        const { kind, with: attributes } = asked;
        if (kind === "entry-point") return resolveOwn(sources.entry);
        const importer = nameOfId(asked.importer);
        const mapped = isImport(kind) ? mappedImports.map(asked.path, importer, formOf(kind)) : asked;
        if ("refused" in mapped) return { errors: [{ text: mapped.refused }] };
        const { path } = mapped;
        if (path !== asked.path) trail.mapped.set(`${importer} ${asked.path}`, path);
        const meaning = importMeaning(path, kind, attributes);
        switch (meaning.kind) {
          case "virtual":
            return { path, namespace: virtualNamespace };
          case "builtin":
            return resolveBuiltin(meaning.name) ?? { errors: [noBuiltinNamed(meaning.name, importer)] };
          case "refused":
            return { errors: [{ text: meaning.reason }] };
          case "package": {
            const { package: name, reason, why } = meaning;
            const resolved =
              why === undefined
                ? resolvePackage({ path, importer, form: formOf(kind) }, packages, findings)
                : undefined;
            if (resolved) return dynamicImport(resolved, asked, packageNamespace);
            return { errors: [unresolved({ package: name, specifier: path, importer, reason, ...(why && { why }) })] };
          }
          case "relative":
            break;
        }
        const found = sources.find(path, importer);
        if ("missing" in found) {
          missing.set(found.missing.asked, found.missing);
          // The suffix hides the extension, which would make it an ES module.
          return { path: `${found.missing.asked}#`, namespace: missingNamespace };
        }
        if ("refused" in found) return { errors: [{ text: found.refused }] };
        const { name, via } = found;
        const link = [path, importer, name] as const;
        trail.links.set(`${importer} ${path}`, via === undefined ? link : [...link, via]);
        return dynamicImport(await resolveOwn(name), asked, componentNamespace);
      });
      build.onLoad({ filter: /.*/, namespace: virtualNamespace }, ({ path }): OnLoadResult => {
        return { contents: virtualModules.get(path) ?? typesOnlyModules.get(path) ?? "", loader: "js" };
      });
      // Placeholder for a missing file or package, so that one build finds all of them. It has any export.
      build.onLoad({ filter: /.*/, namespace: missingNamespace }, (): OnLoadResult => {
        return { contents: "module.exports = {}", loader: "js" };
      });
      build.onLoad({ filter: /.*/, namespace: componentNamespace }, async ({ path }): Promise<OnLoadResult> => {
        return (await prepareOnce(nameOfId(path))).result;
      });
      // Refuses everything else.
      build.onLoad({ filter: /.*/ }, ({ path }) => ({ errors: [{ text: `"${path}" cannot be loaded` }] }));
    },
  };
}

const unresolved = (detail: UnresolvedImport): PartialMessage => ({
  text: `"${detail.specifier}" cannot be resolved: ${detail.reason}`,
  detail,
});

const noBuiltinNamed = (name: string, importer: string): PartialMessage =>
  unresolved({ package: `node:${name}`, specifier: `node:${name}`, importer, reason: noBuiltin });
