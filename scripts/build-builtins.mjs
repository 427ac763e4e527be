import { readdir, readFile, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const sandbox = `${root}packages/sandbox/`;
const sources = `${sandbox}src/guest/modules/`;
const parts = `${sandbox}src/guest/node/`;
const target = `${sandbox}dist/builtins/`;

/** Names of all files below a folder, without their extension. */
async function namesBelow(folder, extension) {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  const files = entries.filter((name) => name.endsWith(extension) && !/\.(?:test|cases|d)\.ts$/.test(name));
  return files.map((name) => name.slice(0, -extension.length));
}

/** Packages that re-export globals of the realm. */
const realm = "abort-controller";

/** Built-ins share one instance of each module, so imports between them are resolved in the realm. */
const shareBuiltins = {
  name: "share-builtins",
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      if (path.startsWith("x:")) return { path, external: true };
      if (path === realm) return { path, namespace: realm };
      // Packages write `name/` for the npm package with the name of a built-in; the guest's module replaces it, too.
      const name = importer.includes("/node_modules/") ? path.replace(/\/$/, "") : path;
      return isBuiltin(name) ? { path: `node:${name.replace(/^node:/, "")}`, external: true } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: realm }, () => ({ contents: "module.exports = globalThis", loader: "js" }));
  },
};

/** The module to bundle: the members of ours, and all other names of Node's module. */
const completeBuiltins = (own, nodeNames) => ({
  name: "complete-builtins",
  setup(build) {
    build.onResolve({ filter: /^builtin:/ }, ({ path }) => ({ path: path.slice(8), namespace: "builtin" }));
    build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path: name }) => {
      const { functions = "", values = {} } = nodeNames[name] ?? {};
      const [named, others, constants] = [name, functions, values].map((value) => JSON.stringify(value));
      const contents = `import { completed } from "./node/unavailable.ts";
        ${own.includes(name) ? `import own from "./modules/${name}.ts"` : "const own = {}"};
        export default completed(${named}, own, ${others}, ${constants});`;
      return { contents, loader: "js", resolveDir: `${sandbox}src/guest` };
    });
  },
});

/**
 * Makes `dist/builtins/<name>.js` of `src/guest/modules/<name>.ts`: an expression, the function of
 * a CommonJS module whose `module.exports` is the default export.
 * `write` replaces a file when its text changed.
 */
export async function buildBuiltins(bundles, write) {
  const own = await namesBelow(sources, ".ts");
  const nodeNames = JSON.parse(await readFile(`${parts}node-names.json`, "utf8"));
  const names = [...new Set([...own, ...Object.keys(nodeNames)])];
  const { outputFiles } = await bundles.make({
    entryPoints: Object.fromEntries(names.map((name) => [name, `builtin:${name}`])),
    outdir: target,
    // Names of modules are paths relative to this folder, and remain in the code.
    absWorkingDir: root,
    format: "cjs",
    platform: "browser",
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"', "process.env.NODE_DEBUG": "undefined" },
    // The engine stores the text of every function, also in images.
    minify: true,
    keepNames: true,
    charset: "utf8",
    legalComments: "none",
    banner: { js: "(function(module,exports,require){" },
    footer: { js: "module.exports=module.exports.default})" },
    plugins: [completeBuiltins(own, nodeNames), shareBuiltins],
  });
  await Promise.all(outputFiles.map(({ path, text }) => write(path, text)));
  const stale = (await namesBelow(target, ".js")).filter((name) => !names.includes(name));
  await Promise.all(stale.map((name) => rm(`${target}${name}.js`)));
}
