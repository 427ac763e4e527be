import { posix } from "node:path";

import { longerThan } from "@x/model";
import type { ReadManifest } from "../imports/manifests.ts";
import { candidates, codeEndings, filesFactor, languages, type Refused, type SourceSet } from "./source-set.ts";

const manifest = "package.json";
const longestName = 512;

/** Names are relative paths without dots, so that they mean the same on every machine. */
function nameProblem(name: string): string | undefined {
  if (name.length > longestName) return `File name "${name.slice(0, 60)}…" is ${longerThan(longestName)}`;
  const isPlain = !/[\\\0]/.test(name) && name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (!isPlain) return `File name "${name}" must be a relative path with forward slashes`;
  const isRead = languages.has(posix.extname(name)) || posix.basename(name) === manifest;
  return isRead ? undefined : `File "${name}" must end in ${[...languages.keys()].join(" ")}`;
}

/** Files that were sent as texts: imports lead to them and to nothing else. */
export function sentSource(entry: string, texts: ReadonlyMap<string, string>, codeBytes: number): SourceSet | Refused {
  let total = 0;
  for (const [name, text] of texts) {
    const problem = nameProblem(name);
    if (problem !== undefined) return { refused: problem };
    const bytes = Buffer.byteLength(text);
    if (bytes > codeBytes) return { refused: `File "${name}" must be at most ${codeBytes} bytes, got ${bytes}` };
    total += bytes;
  }
  if (total > codeBytes * filesFactor)
    return { refused: `The files of the component are larger than ${codeBytes * filesFactor} bytes together` };
  if (!texts.has(entry)) return { refused: `The entry "${entry}" is not among the files` };
  if (languages.get(posix.extname(entry)) === "json") return { refused: `File "${entry}" must end in ${codeEndings}` };
  return {
    entry,
    find(specifier, importer) {
      const target = posix.join(posix.dirname(importer), specifier);
      for (const name of candidates(specifier, importer)) if (texts.has(name)) return { name };
      return { refused: `"${specifier}" cannot be imported: "${target}" is not among the files that were sent` };
    },
    read(name) {
      const text = texts.get(name);
      if (text === undefined) return { refused: `"${name}" is not among the files that were sent` };
      return { text, language: languages.get(posix.extname(name)) ?? "js" };
    },
  };
}

/** Each package.json among the files. */
export const sentManifests =
  (texts: ReadonlyMap<string, string>): ReadManifest =>
  (name) => {
    const text = texts.get(name);
    return text === undefined ? undefined : { text };
  };
