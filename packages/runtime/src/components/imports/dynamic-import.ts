import type { ImportKind, OnLoadResult, OnResolveResult, Plugin } from "esbuild";

import { isModuleId } from "./node-format.ts";
import { stubPrefix } from "./absent-import.ts";

const dynamicNamespace = "dynamic";

/** What `import()` gives of a CommonJS module, as a module of its own. */
const asNamespace = `const it = require("it");
module.exports = Object.defineProperty({ ...it, default: it }, "__esModule", { value: true });`;

/**
 * In Node `import()` takes CommonJS by the same rule wherever it stands: `default` is `module.exports`. esbuild does so
 * in files that are modules themselves; elsewhere another module stands between.
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

/** The modules that stand between. */
export const dynamicImports: Plugin = {
  name: "dynamic-imports",
  setup(build) {
    build.onResolve({ filter: /.*/, namespace: dynamicNamespace }, ({ pluginData }) => pluginData as OnResolveResult);
    build.onLoad({ filter: /.*/, namespace: dynamicNamespace }, ({ pluginData }): OnLoadResult => {
      return { contents: asNamespace, loader: "js", pluginData };
    });
  },
};

/** How a source map's name of such a module is shown; undefined for other modules. */
export const shownDynamic = (source: string): string | undefined =>
  source.startsWith(`${dynamicNamespace}:`) ? `${stubPrefix}${source}` : undefined;
