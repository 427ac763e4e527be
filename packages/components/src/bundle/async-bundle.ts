import type { BuildOptions, Message, Plugin } from "esbuild";

import { stubPrefix } from "../imports/absent-import.ts";
import { asyncOpening, importMeta, takeExports } from "./async-opening.ts";
import { bundleProblem } from "./bundle-problem.ts";

const entry = "async-entry";
const required = "required-builtin";
const closing = `})((all) => { module.exports = all; });`;

/**
 * CommonJS has no top-level await. A bundle with one is an ES module in an async function, which passes on the exports at
 * its end.
 */
export const asyncFormat: Pick<BuildOptions, "format" | "banner" | "footer"> & {
  readonly define: { readonly [name: string]: string };
} = {
  format: "esm",
  banner: { js: asyncOpening },
  footer: { js: closing },
  define: { "import.meta": importMeta },
};

const refusal = /^Top-level await is currently not supported with the "cjs" output format/;

/** Positions of top-level awaits, as `file:line:column`, when they prevented a CommonJS build. */
export const findAwaits = (errors: readonly Message[], prefix: string): string[] =>
  errors
    .filter(({ text }) => refusal.test(text))
    .map((message) => bundleProblem(message, prefix))
    .map(({ file, line, column }) => `${file}:${line}:${column}`);

/** The name for messages of a module that only such bundles have; undefined for other modules. */
export const shownAsync = (source: string): string | undefined =>
  source.startsWith(`${entry}:`) || source.startsWith(`${required}:`) ? `${stubPrefix}${source}` : undefined;

/** Passes on the exports of the entry, and requires built-ins, which cannot be imported inside a function. */
const ends: Plugin = {
  name: "async-ends",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ kind }) =>
      kind === "entry-point" ? { path: "entry", namespace: entry } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: entry }, () => ({
      contents: `import * as all from "entry"; ${takeExports}(all);`,
      loader: "js",
    }));
    build.onLoad({ filter: /.*/, namespace: required }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      loader: "js",
    }));
  },
};

const between = (plugin: Plugin): Plugin => ({
  name: plugin.name,
  setup: (build) =>
    plugin.setup({
      ...build,
      onResolve: (options, callback) =>
        build.onResolve(options, async (asked) => {
          const { kind } = asked;
          const found = await callback(asked.namespace === entry ? { ...asked, kind: "entry-point" } : asked);
          if (found?.external !== true || (kind !== "import-statement" && kind !== "dynamic-import")) return found;
          const { path = "", sideEffects = true } = found;
          return { path, namespace: required, sideEffects };
        }),
    }),
});

/** The same plugins for such a bundle. */
export const asyncPlugins = (plugins: readonly Plugin[]): Plugin[] => [ends, ...plugins.map(between)];
