import { posix } from "node:path";

import { build, type Loader } from "esbuild";

/** No file lies in a file, so nothing else has such a name. esbuild knows a module of Node by the ending. */
const ending = "/.mjs";

/** What a build calls a file that Node reads as an ES module although its name does not say so. */
export const moduleId = (name: string): string => name + ending;

/** The file's name, of what a build calls it. */
export const nameOfId = (id: string): string => (id.endsWith(ending) ? id.slice(0, -ending.length) : id);

/** By the name of a module in a build: does Node's rule for default imports of CommonJS hold in it? */
export const isModuleId = (id: string): boolean => /\.m[jt]s$/.test(id);

const statements = /\b(?:import|export)\b/;
const commonJs = /\b(?:module|exports)\b|\b(?:export|import\s+\w+)\s*=/;

/** What esbuild takes the text for, which has no imports of computed paths; undefined when it cannot read it. */
async function formatOf(contents: string, loader: Loader): Promise<string | undefined> {
  try {
    const { metafile } = await build({
      stdin: { contents, loader, sourcefile: "file" },
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      logLevel: "silent",
      tsconfigRaw: {},
      plugins: [
        {
          name: "alone",
          setup: ({ onResolve }) => onResolve({ filter: /.*/ }, ({ path }) => ({ path, external: true })),
        },
      ],
    });
    return Object.values(metafile.inputs)[0]?.format;
  } catch {
    return undefined;
  }
}

/**
 * Does Node read that file as an ES module because of its syntax? Those are files whose extension leaves it open, with a
 * static import or an export. A file that has an import and sets `module.exports`, which Node cannot run, is CommonJS here.
 */
export async function hasModuleSyntax(name: string, text: string, loader: Loader): Promise<boolean> {
  if (![".js", ".ts"].includes(posix.extname(name)) || !statements.test(text)) return false;
  // Both words are in many a comment: then it is parsed.
  return !commonJs.test(text) || (await formatOf(text, loader)) === "esm";
}
