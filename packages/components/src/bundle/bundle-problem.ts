import type { Message, PartialMessage } from "esbuild";

import { packageNamespace } from "../imports/package-plugin.ts";
import { cutText } from "@x/model";
import type { BundleProblem } from "./bundle-messages.ts";
import { nameOfId } from "../imports/node-format.ts";

const frameWidth = 120;
const longestText = 2_048;

/** True when esbuild rejected the code itself. */
export const isBuildFailure = (
  error: unknown,
): error is Error & { readonly errors: Message[]; readonly warnings: Message[] } =>
  error instanceof Error && "errors" in error && Array.isArray(error.errors) && error.errors.length > 0;

/** The name of a file without what the build adds: a prefix, and for ES modules of packages the ending `.mjs`. */
function nameOf(file: string, prefix: string): string {
  if (file.startsWith(prefix)) return nameOfId(file.slice(prefix.length));
  const ofPackages = `${packageNamespace}:`;
  return file.startsWith(ofPackages) ? file.slice(ofPackages.length).replace(/(\.[jt]sx?)\.mjs$/, "$1") : file;
}

/** Converts a message of esbuild: line and column count from 1. */
export function bundleProblem(message: Message, prefix: string): BundleProblem {
  const { location } = message;
  // The text may contain long names.
  const text = cutText(message.text, longestText);
  if (!location) return { path: "", message: text };
  const file = nameOf(location.file, prefix);
  // Columns of esbuild count bytes.
  const column = Buffer.from(location.lineText).subarray(0, location.column).toString().length;
  return {
    path: "",
    message: `${file}:${location.line}:${column + 1}: ${text}`,
    file,
    line: location.line,
    column: column + 1,
    frame: frame(location.lineText, location.line, column, location.length),
  };
}

/** The line of code, with a mark below the problem. */
function frame(lineText: string, line: number, column: number, length: number): string {
  const start = column > frameWidth ? column - frameWidth / 2 : 0;
  const shown = lineText.slice(start, start + frameWidth).replaceAll("\t", " ");
  const mark = "^".repeat(Math.max(1, Math.min(length, shown.length - (column - start))));
  const number = String(line);
  return `${number} | ${shown}\n${" ".repeat(number.length)} | ${" ".repeat(column - start)}${mark}`;
}

/** The position of a character of a text, in esbuild's format. */
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
