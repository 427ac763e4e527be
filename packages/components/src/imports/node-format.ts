import { posix } from "node:path";

import { build, type Loader, type TsconfigRaw } from "esbuild";

/** An ending that no file path has. It makes esbuild treat the module as Node treats ES modules. */
const ending = "/.mjs";

/** The name in a build of a file that Node reads as an ES module although its extension does not say so. */
export const moduleId = (name: string): string => name + ending;

/** The file's name for a name in a build. */
export const nameOfId = (id: string): string => (id.endsWith(ending) ? id.slice(0, -ending.length) : id);

/** True when Node's rule for default imports of CommonJS applies in a module, by its name in a build. */
export const isModuleId = (id: string): boolean => /\.m[jt]s$/.test(id);

const statements = /\b(?:import|export)\b/;
const commonJs = /\b(?:module|exports)\b|\b(?:export|import\s+\w+)\s*=/;

/** The module format that esbuild detects in a text without computed imports; undefined when it cannot parse it. */
async function formatOf(contents: string, loader: Loader, tsconfigRaw: TsconfigRaw): Promise<string | undefined> {
  try {
    const { metafile } = await build({
      stdin: { contents, loader, sourcefile: "file" },
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      logLevel: "silent",
      tsconfigRaw,
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
 * True when Node reads a file as an ES module because of its syntax: its extension is ambiguous, and it has a static import
 * or export. A file with an import that sets `module.exports`, which Node cannot run, is CommonJS here.
 */
export async function hasModuleSyntax(
  name: string,
  text: string,
  loader: Loader,
  tsconfigRaw: TsconfigRaw,
): Promise<boolean> {
  if (![".js", ".ts", ".jsx", ".tsx"].includes(posix.extname(name)) || !statements.test(text)) return false;
  // Comments may contain these words, so the text is parsed.
  return !commonJs.test(text) || (await formatOf(text, loader, tsconfigRaw)) === "esm";
}
