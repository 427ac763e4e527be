/** Modules and importers for one table: what each form of import gives, in a bundle and in Node. */

/** CommonJS as compilers of ES modules write it. */
const compiled = `Object.defineProperty(exports, "__esModule", { value: true });
exports.default = { is: "the default" };
exports.named = { is: "named" };
`;
const withoutDefault = `Object.defineProperty(exports, "__esModule", { value: true });
exports.named = { is: "named" };
`;
const plain = `exports.named = { is: "named" };\nexports.other = 1;\n`;
const ofFunction = `module.exports = function client() {};\nmodule.exports.named = { is: "named" };\n`;
const module = `export default { is: "the default of a module" };\nexport const named = { is: "named" };\n`;
const aClass = `Object.defineProperty(exports, "__esModule", { value: true });
class Client {}
exports.default = Client;
exports.named = Client;
`;

const json = (fields: object): string => JSON.stringify({ version: "1.0.0", ...fields });

/** Packages, by the files that each has. */
export const packages: { readonly [name: string]: { readonly [file: string]: string } } = {
  compiled: { "package.json": json({ name: "compiled" }), "index.js": compiled },
  "compiled-class": { "package.json": json({ name: "compiled-class", main: "lib/index" }), "lib/index.js": aClass },
  "without-default": { "package.json": json({ name: "without-default" }), "index.js": withoutDefault },
  plain: { "package.json": json({ name: "plain", main: "./lib" }), "lib/index.js": plain },
  "of-function": { "package.json": json({ name: "of-function" }), "index.js": ofFunction },
  strict: { "package.json": json({ name: "strict", type: "module", main: "index.js" }), "index.js": module },
  "strict-by-name": { "package.json": json({ name: "strict-by-name", main: "index.mjs" }), "index.mjs": module },
  dual: {
    "package.json": json({ name: "dual", exports: { import: "./module.mjs", require: "./main.cjs" } }),
    "module.mjs": module,
    "main.cjs": compiled,
  },
  "with-module": {
    "package.json": json({ name: "with-module", main: "main.js", module: "module.js" }),
    "main.js": compiled,
    "module.js": module,
  },
  "with-browser": {
    "package.json": json({ name: "with-browser", main: "main.js", module: "module.js", browser: "browser.js" }),
    "main.js": compiled,
    "module.js": module,
    "browser.js": `module.exports = function forPages() {};`,
  },
  conditional: {
    "package.json": json({
      name: "conditional",
      exports: { ".": { module: "./module.js", browser: "./browser.js", node: "./main.js", default: "./module.js" } },
    }),
    "module.js": module,
    "browser.js": `module.exports = function forPages() {};`,
    "main.js": compiled,
  },
  // Its own default import of a compiled module, as Node reads it and as compilers do.
  "importer-strict": {
    "package.json": json({ name: "importer-strict", type: "module", main: "index.js" }),
    "index.js": `import it from "compiled";\nexport default it;\nexport const later = () => import("compiled");\n`,
  },
  "importer-common": {
    "package.json": json({ name: "importer-common" }),
    "index.js": `exports.named = require("compiled");\nexports.later = () => import("compiled");\n`,
  },
};

/** Files beside the importers. */
export const besides: { readonly [file: string]: string } = {
  "compiled.cjs": compiled,
  "compiled.js": compiled,
  "class.js": aClass,
  "without-default.js": withoutDefault,
  "plain.js": plain,
  "of-function.cjs": ofFunction,
  "module.mjs": module,
  "module.js": module,
  // Words of modules in texts, and no module.
  "words.js": `// import it from "x"\nconst text = \`\nexport default 1\n\`;\n${compiled}exports.text = text;\n`,
};

/** What shows a value: what it is, and two levels of its names. */
const shows = `
const look = (value, depth) => {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return value === undefined ? "undefined" : value;
  const kind = typeof value === "function" ? "function " + value.name : "object";
  const names = depth === 0 ? [] : Object.keys(value).filter((name) => name !== "__esModule" && name !== "module.exports").sort();
  return [kind, Object.fromEntries(names.map((name) => [name, look(value[name], depth - 1)]))];
};
const show = (value) => look(value, 3);
`;

/** Forms of import; the text of a module whose default export, awaited and called, shows what it got. */
export const forms: { readonly [name: string]: { readonly isCommon?: boolean; text(specifier: string): string } } = {
  default: { text: (from) => `import it from "${from}";${shows}export default async () => show(it);\n` },
  "default by name": {
    text: (from) => `import { default as it } from "${from}";${shows}export default async () => show(it);\n`,
  },
  named: { text: (from) => `import { named } from "${from}";${shows}export default async () => show(named);\n` },
  namespace: { text: (from) => `import * as all from "${from}";${shows}export default async () => show(all);\n` },
  "default and namespace": {
    text: (from) => `import it, * as all from "${from}";${shows}export default async () => show([it, all]);\n`,
  },
  "passed on": {
    text: (from) =>
      `export { default as it } from "${from}";${shows}import * as own from "#self";\nexport default async () => show(own.it);\n`,
  },
  dynamic: { text: (from) => `${shows}export default async () => show(await import("${from}"));\n` },
  require: {
    isCommon: true,
    text: (from) => `const it = require("${from}");${shows}module.exports = async () => show(it);\n`,
  },
  "dynamic in CommonJS": {
    isCommon: true,
    text: (from) => `${shows}module.exports = async () => show(await import("${from}"));\n`,
  },
};
