import type { ImportKind, OnLoadResult, OnResolveResult, Plugin } from "esbuild";

import { isModuleId } from "./node-format.ts";
import { stubPrefix } from "./absent-import.ts";

const dynamicNamespace = "dynamic";

/** A module with the result of `import()` of a CommonJS module. */
const asNamespace = `const it = require("it");
module.exports = Object.defineProperty({ ...it, default: it }, "__esModule", { value: true });`;

/**
 * In Node the `default` of an imported CommonJS module is always `module.exports`. esbuild follows this rule only in ES
 * modules; elsewhere a wrapper module is inserted.
 */
export function dynamicImport(
  resolved: OnResolveResult,
  { importer, kind }: { readonly importer: string; readonly kind: ImportKind },
  commonNamespace: string,
): OnResolveResult {
  const { path = "", namespace } = resolved;
  const isCommon = namespace === commonNamespace && !isModuleId(path) && !path.endsWith(".json");
  if (kind !== "dynamic-import" || !isCommon || isModuleId(importer)) return resolved;
  return { path: `${namespace}:${path}`, namespace: dynamicNamespace, pluginData: resolved };
}

/** Loads the wrapper modules. */
export const dynamicImports: Plugin = {
  name: "dynamic-imports",
  setup(build) {
    build.onResolve({ filter: /.*/, namespace: dynamicNamespace }, ({ pluginData }) => pluginData as OnResolveResult);
    build.onLoad({ filter: /.*/, namespace: dynamicNamespace }, ({ pluginData }): OnLoadResult => {
      return { contents: asNamespace, loader: "js", pluginData };
    });
  },
};

/** The name of a wrapper module for messages; undefined for other modules. */
export const shownDynamic = (source: string): string | undefined =>
  source.startsWith(`${dynamicNamespace}:`) ? `${stubPrefix}${source}` : undefined;
