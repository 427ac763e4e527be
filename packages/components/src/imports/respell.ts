import { type Loader, transform, type TsconfigRaw } from "esbuild";

/** Code as esbuild prints it, without types and dead code. `code` ends with the source map. */
export async function respell(
  text: string,
  sourcefile: string,
  loader: Loader,
  tsconfigRaw: TsconfigRaw = {},
): Promise<{ readonly code: string; readonly map: string }> {
  return transform(text, {
    loader,
    sourcefile,
    sourcemap: "both",
    sourcesContent: false,
    minifyWhitespace: true,
    charset: "utf8",
    legalComments: "none",
    target: "esnext",
    // The parser for the output does not support decorators.
    supported: { decorators: false },
    logLevel: "silent",
    tsconfigRaw,
  });
}
