import type { PartialMessage } from "esbuild";

/** The place of a character of a file's text, as esbuild tells places. */
export function sourceLocation(file: string, text: string, at: number): NonNullable<PartialMessage["location"]> {
  const before = text.slice(0, at);
  const start = before.lastIndexOf("\n") + 1;
  const end = text.indexOf("\n", at);
  return {
    file,
    line: before.split("\n").length,
    column: Buffer.byteLength(text.slice(start, at)),
    lineText: text.slice(start, end < 0 ? undefined : end),
    length: 1,
  };
}
