import { type Loader, transform } from "esbuild";

/** What a call that imports looks like, with escapes and comments in it; static imports do not. */
export const mayBeImportCall: RegExp = /(?:import|require)\s*[(/?.)]|\\u/;

const literal = /(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)[),]/y;

/** True when the first argument, which begins at `at`, is one string literal. In esbuild's own spelling. */
export function isLiteralArgument(code: string, at: number): boolean {
  literal.lastIndex = at;
  return literal.test(code);
}

/** Code as esbuild spells it: calls without comments, escapes and spaces in them; ends with its source map. */
export async function respell(text: string, sourcefile: string, loader: Loader): Promise<string> {
  const { code } = await transform(text, {
    loader,
    sourcefile,
    sourcemap: "inline",
    sourcesContent: false,
    minifyWhitespace: true,
    charset: "utf8",
    legalComments: "none",
    target: "esnext",
    logLevel: "silent",
    tsconfigRaw: {},
  });
  return code;
}
