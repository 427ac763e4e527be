import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** The file of the guest that exports `enter`. */
const mainName = "main.js";

const importPattern = /^import(?:\{([^}]*)\}from)?"\.\/([^"]+)";/;
const exportPattern = /export\{([^}]*)\};\s*$/;

/** `a as b,c` as properties of a literal or of a destructuring pattern. */
const properties = (list, write) =>
  list
    .split(",")
    .map((item) => {
      const [from, to = from] = item.split(" as ");
      return write(from, to);
    })
    .join(",");

/**
 * The guest's modules in the order of their imports, each as a function's text: it is called with the list of the exports of
 * the modules before it, and adds its own; the last one is also called with `dispatch`, and returns `enter`. Compiled one by
 * one they leave the engine's heap half as large as one bundle does, and each call copies that heap.
 */
export async function bundlePrelude(bundles, folder) {
  const files = (await readdir(folder)).filter((name) => /(?<!\.test|\.cases|\.d)\.ts$/.test(name));
  const { outputFiles } = await bundles.make({
    entryPoints: files.map((name) => join(folder, name)),
    outdir: "prelude",
    format: "esm",
    splitting: true,
    target: "es2022",
    minify: true,
    charset: "utf8",
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const functions = [];
  const places = new Map();
  /** Adds a module after those it imports. Returns its place. */
  function add(name) {
    const known = places.get(name);
    if (known !== undefined) return known;
    let code = texts.get(name);
    let imported = "";
    for (let found; (found = importPattern.exec(code)) !== null; code = code.slice(found[0].length)) {
      const place = add(found[2]);
      if (found[1] !== undefined)
        imported += `var{${properties(found[1], (from, to) => `${from}:${to}`)}}=modules[${place}];`;
    }
    const exported = exportPattern.exec(code)?.[1] ?? "";
    code = code.replace(exportPattern, "");
    const result = `modules.push({${exported && properties(exported, (from, to) => `${to}:${from}`)}});`;
    functions.push(`(function(modules){"use strict";${imported}${code}\n${result}})`);
    places.set(name, functions.length - 1);
    return functions.length - 1;
  }
  add(mainName);
  functions.push("(function(modules,dispatch){return modules.pop().enter(dispatch)})");
  return functions;
}
