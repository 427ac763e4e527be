import { posix } from "node:path";

import type { FetchedFiles } from "../contract.ts";
import { isTypeScript, languages, type SourceSet } from "./source-set.ts";

/** Extensions to try after the name itself, because a server does not list folders. */
const triedExtensions = [".js", ".mjs", ".ts"];
/** A placeholder for the origin: names are paths without their first slash. */
const base = "http://origin/";

/** Files that were fetched from one origin. All other files are missing. */
export function fetchedSource({ entry, texts, links }: FetchedFiles): SourceSet {
  return {
    entry,
    find(specifier, importer) {
      const asked = new URL(specifier, base + importer).href.slice(base.length);
      const name = links.get(asked);
      return name === undefined ? { missing: { asked, importer, candidates: candidates(asked, importer) } } : { name };
    },
    read(name) {
      const text = texts.get(name);
      if (text === undefined) return { refused: `"${name}" was not fetched` };
      return { text, language: languages.get(posix.extname(name)) ?? "js" };
    },
  };
}

function candidates(asked: string, importer: string): string[] {
  const isScript = languages.has(posix.extname(asked));
  // TypeScript authors import the file that the compiler would write.
  const written = isTypeScript(importer) ? asked.replace(/(\.[mc]?)js$/, "$1ts") : asked;
  return [
    asked,
    ...(written === asked ? [] : [written]),
    ...(isScript ? [] : triedExtensions.map((end) => asked + end)),
  ];
}
