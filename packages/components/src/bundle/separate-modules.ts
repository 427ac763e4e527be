import { type BuildOptions, transform } from "esbuild";

import { isBuildFailure } from "./bundle-problem.ts";
import { joinModules, type SeparateModule, separateModules } from "./join-modules.ts";

/** Characters of parsed packages beyond which large modules are minified alone: esbuild needs thirty bytes for each. */
export const maxBundledChars: number = 3 * 1024 * 1024;

/** Smaller modules are bundled, in characters: they are many, and little memory. */
const minChars = 2_048;

/** Options of esbuild that mean the same for one module as for a bundle. */
export type ModuleOptions = Pick<BuildOptions, (typeof sharedOptions)[number]>;
const sharedOptions = [
  "charset",
  "define",
  "keepNames",
  "legalComments",
  "logLevel",
  "minify",
  "platform",
  "sourcesContent",
  "supported",
  "target",
  "tsconfigRaw",
] as const;

/** The modules of one build that esbuild does not bundle. */
export interface SeparateModules {
  /** The text to bundle for a module. */
  stub(name: string, text: string): Promise<string>;
  /** The bundle with these modules. */
  join(bundle: string, sourceMap: string): { bundle: string; sourceMap: string };
}

/** Counts the characters of packages. */
export interface SizeLimit {
  readonly isExceeded: boolean;
  /** Returns the text of a module, or throws beyond the limit. */
  add(name: string, text: string): Promise<string>;
}

export function createSizeLimit(maxChars: number): SizeLimit {
  let chars = 0;
  return {
    get isExceeded() {
      return chars > maxChars;
    },
    async add(_name, text) {
      chars += text.length;
      if (chars > maxChars) throw new Error("The packages are too large for one build");
      return text;
    },
  };
}

/**
 * Minifies large CommonJS modules one at a time, so that esbuild never holds all of them. The bundle gets the same
 * requires in their place; order, cycles and exports stay those of an ordinary build.
 */
export function createSeparateModules(options: ModuleOptions): SeparateModules {
  const modules = new Map<string, SeparateModule>();
  let before: Promise<unknown> = Promise.resolve();

  async function minify(name: string, text: string): Promise<string> {
    const module = text.length < minChars ? undefined : await minifyAlone(text, options);
    if (!module) return text;
    modules.set(name, { name, ...module });
    return stubText(name, module.requires);
  }

  return {
    stub(name, text) {
      // esbuild asks for hundreds of modules at once.
      const stubbed = before.then(() => minify(name, text));
      before = stubbed.catch(() => undefined);
      return stubbed;
    },
    join(bundle, sourceMap) {
      const given = [...modules.values()];
      modules.clear();
      return joinModules(bundle, sourceMap, given);
    },
  };
}

/** A name in a module stays a call by that name: `require` is a parameter of the function that the module becomes. */
function stubText(name: string, requires: readonly string[]): string {
  const calls = requires.map((path) => `[${JSON.stringify(path)}]: () => require(${JSON.stringify(path)})`);
  return `${separateModules}[${JSON.stringify(name)}](exports, module, (path) => ({ ${calls.join(", ")} })[path]());`;
}

type Minified = Pick<SeparateModule, "code" | "mappings" | "lines"> & { readonly requires: readonly string[] };

/** In a function a text is no ES module and awaits nothing, or it is not valid. */
const opening = "(function () {\n";
const closing = "\n}).call(exports)";

/** Undefined for a module that may mean something else outside of the bundle. */
async function minifyAlone(text: string, options: ModuleOptions): Promise<Minified | undefined> {
  if (text.startsWith("#!")) return undefined;
  try {
    const { code, map } = await transform(opening + text + closing, {
      ...Object.fromEntries(sharedOptions.map((name) => [name, options[name]])),
      // Imports stay, so that they are found.
      supported: { ...options.supported, "dynamic-import": true },
      loader: "js",
      format: "cjs",
      sourcemap: "external",
    });
    const requires = findRequires(code);
    if (!requires || !isCommonJs(code)) return undefined;
    const { mappings } = JSON.parse(map) as { mappings: string };
    return { code: code.trimEnd(), mappings, lines: text.split("\n").length, requires };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    // The bundle has the same problem, or the module is an ES module.
    return undefined;
  }
}

const ownExports = /\bexports\)?;?\s*$/;
const dynamic = /\bimport\s*[(.]|\beval\s*\(/;

const isCommonJs = (code: string): boolean => /\bexports\b/.test(code.replace(ownExports, "")) && !dynamic.test(code);

const requireCall = /(?<![\w$.])require\("([^"\\\n]*)"\)/g;
const quoted = /"(?:[^"\\\n]|\\.)*"/g;

/**
 * The paths that minified code requires; undefined when it uses `require` in another way, or when only a parser could tell
 * code from the content of strings.
 */
export function findRequires(code: string): string[] | undefined {
  const calls = [...code.matchAll(requireCall)];
  if (calls.length !== (code.match(/\brequire\b/g)?.length ?? 0)) return undefined;
  const last = calls.at(-1);
  if (!last) return [];
  // Without other quotes and slashes before it, a call is no part of a string, template or regular expression.
  if (/['`/]/.test(code.slice(0, last.index).replaceAll(quoted, ""))) return undefined;
  return [...new Set(calls.map(([, path = ""]) => path))];
}
