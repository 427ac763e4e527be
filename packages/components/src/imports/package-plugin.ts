import type { ImportKind, OnLoadResult, OnResolveResult, Plugin } from "esbuild";

import { sha256Hex } from "@x/model";
import { absentText, stubPrefix } from "./absent-import.ts";
import { resolveBuiltin } from "../builtin-modules.ts";
import { withoutComputedCalls } from "./computed-imports.ts";
import type { AbsentImport } from "../contract.ts";
import { dynamicImport } from "./dynamic-import.ts";
import { noBuiltin } from "./import-policy.ts";
import { parsedJson } from "./parsed-json.ts";
import type { PackageFile, PackageImport, PackageSource } from "./package-source.ts";
import { overrideText } from "./package-overrides.ts";

export const packageNamespace = "package";
const absentNamespace = "absent";
const ignoredNamespace = "ignored";

/** The modules of packages in one build. */
export interface PackageModules {
  readonly plugin: Plugin;
  /** Undefined: the package must be installed first. */
  resolve(found: PackageImport | undefined, specifier: string, importer: string): OnResolveResult | undefined;
  /** Files by their name in messages and stacks. */
  readonly files: ReadonlyMap<string, PackageFile>;
  readonly absences: readonly AbsentImport[];
  /** The name for messages of a package's module in a source map; undefined for other modules. */
  shownName(source: string): string | undefined;
  /** SHA-256 in hex over the key of the installed packages and the files of the author's own packages. */
  hash(installedKey: string | undefined): string;
}

export const formOf = (kind: ImportKind): "import" | "require" => (kind === "require-call" ? "require" : "import");

const throwing = (absent: AbsentImport): string =>
  `module.exports = {}; throw Object.assign(new Error(${JSON.stringify(absentText(absent))}), { code: "MODULE_NOT_FOUND" });`;

/** Returns the text to bundle for a module's text, by its name in the build. */
export type ReplaceModule = (id: string, text: string) => Promise<string>;

export function packageModules(source: PackageSource, replace?: ReplaceModule): PackageModules {
  const files = new Map<string, PackageFile>();
  const byId = new Map<string, PackageFile>();
  const absences: AbsentImport[] = [];
  const readOfProject = new Set<string>();
  /** Results of imports in the author's own packages: they depend on each package.json, which is not hashed itself. */
  const resolvedInProject = new Set<string>();

  const absent = (absence: AbsentImport): OnResolveResult => {
    const known = absences.findIndex(
      ({ specifier, importer }) => specifier === absence.specifier && importer === absence.importer,
    );
    const index = known >= 0 ? known : absences.push(absence) - 1;
    return { path: `${absence.specifier}#${index}`, namespace: absentNamespace, pluginData: absence };
  };

  function recordResult(found: PackageImport, specifier: string, importer: string): void {
    const from = files.get(importer);
    const file = "file" in found ? found.file : undefined;
    if (!file?.ofProject && !from?.ofProject) return;
    const to = file ? [file.id, file.isModule, file.package.hasSideEffects(file.subpath)] : [found];
    resolvedInProject.add(JSON.stringify([from?.id ?? importer, specifier, ...to]));
  }

  function resolve(found: PackageImport, specifier: string, importer: string): OnResolveResult;
  function resolve(found: PackageImport | undefined, specifier: string, importer: string): OnResolveResult | undefined;
  function resolve(found: PackageImport | undefined, specifier: string, importer: string): OnResolveResult | undefined {
    if (!found) return undefined;
    recordResult(found, specifier, importer);
    if ("ignored" in found) return { path: specifier, namespace: ignoredNamespace };
    if ("builtin" in found)
      return resolveBuiltin(found.builtin) ?? absent({ specifier, importer, why: "absent", reason: noBuiltin });
    if ("absent" in found) return absent({ specifier, importer, why: found.why, reason: found.absent });
    const { file } = found;
    // esbuild follows Node's rule for default imports in ES modules, which it recognises by the extension.
    const id = file.isModule ? `${file.name}.mjs` : file.name;
    files.set(file.name, file);
    byId.set(id, file);
    const sideEffects = file.package.hasSideEffects(file.subpath);
    return { path: id, namespace: packageNamespace, sideEffects };
  }

  const plugin: Plugin = {
    name: "packages",
    setup(build) {
      build.onResolve({ filter: /.*/, namespace: packageNamespace }, ({ path, importer, kind }): OnResolveResult => {
        const file = byId.get(importer);
        if (!file) return { errors: [{ text: `"${importer}" is no file of a package` }] };
        // Only the path is used, which has no meaning in a sandbox.
        if (kind === "require-resolve") return { path, external: true };
        if (kind !== "import-statement" && kind !== "require-call" && kind !== "dynamic-import")
          return absent({ specifier: path, importer: file.name, why: "refused", reason: `${kind} is not bundled` });
        const resolved = resolve(source.fromPackage(path, file, formOf(kind)), path, file.name);
        return dynamicImport(resolved, { importer, kind }, packageNamespace);
      });
      build.onLoad({ filter: /.*/, namespace: packageNamespace }, async ({ path }): Promise<OnLoadResult> => {
        const file = byId.get(path);
        if (!file) return { errors: [{ text: `"${path}" is no file of a package` }] };
        const isJson = file.name.endsWith(".json");
        const contents = await source.read(file, async (text) => {
          if (file.ofProject) readOfProject.add(JSON.stringify([file.id, sha256Hex(text)]));
          if (isJson) return text;
          const code = await withoutComputedCalls(text, `${packageNamespace}:${path}`, file.loader);
          return overrideText(file, withoutSourceMap(code));
        });
        const parsed = isJson ? parsedJson(contents) : undefined;
        const text = parsed ?? contents;
        return {
          contents: (await replace?.(path, text)) ?? text,
          loader: isJson && parsed === undefined ? "json" : file.loader,
        };
      });
      build.onLoad({ filter: /.*/, namespace: absentNamespace }, ({ pluginData }): OnLoadResult => {
        return { contents: throwing(pluginData as AbsentImport), loader: "js" };
      });
      build.onLoad({ filter: /.*/, namespace: ignoredNamespace }, (): OnLoadResult => {
        return { contents: "module.exports = {};", loader: "js" };
      });
    },
  };

  return {
    plugin,
    resolve,
    files,
    absences,
    shownName(shown) {
      const [namespace = "", ...rest] = shown.split(":");
      const id = rest.join(":");
      if (namespace === packageNamespace) return byId.get(id)?.name ?? id;
      return namespace === absentNamespace || namespace === ignoredNamespace ? `${stubPrefix}${id}` : undefined;
    },
    hash: (installedKey = "") =>
      sha256Hex(JSON.stringify([installedKey, [...readOfProject].toSorted(), ...[...resolvedInProject].toSorted()])),
  };
}

/** esbuild reads the file of a module's last source map comment from the disk. This comment names no file. */
const ownComment = "\n//# sourceMappingURL=none";

/** Code whose own source map comment is ignored. */
export const withoutSourceMap = (text: string): string =>
  text.includes("sourceMappingURL") ? text + ownComment : text;
