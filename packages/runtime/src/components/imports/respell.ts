import { type Loader, transform } from "esbuild";

/** Code without types and without what can never run, as esbuild writes it; `code` ends with the map. */
export async function respell(
  text: string,
  sourcefile: string,
  loader: Loader,
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
    // The parser that reads what comes out does not know them.
    supported: { decorators: false },
    logLevel: "silent",
    tsconfigRaw: {},
  });
}
