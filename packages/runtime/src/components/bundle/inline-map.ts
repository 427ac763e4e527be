import { pathToFileURL } from "node:url";

import type { Bundled, Bundler, LocalCode } from "../contract.ts";
import { mapComment } from "./map-comment.ts";
import { realRootOf } from "./source-set.ts";

/** The folder that a file's names begin at, as a URL. */
const rootUrl = (code: Extract<LocalCode, { file: string }>): string => pathToFileURL(`${realRootOf(code)}/`).href;

function withMap(bundled: Bundled, root: string | undefined): Bundled {
  const map = JSON.parse(bundled.sourceMap) as { sources: string[] };
  const own = new Set(bundled.files);
  const sources = map.sources.map((name) =>
    root !== undefined && own.has(name) ? new URL(encodeURI(name), root).href : name,
  );
  // Code that came as text is in no file that a debugger could show.
  const sourcesContent = map.sources.map((name) => (root === undefined && own.has(name) ? bundled.code : null));
  return { ...bundled, bundle: bundled.bundle + mapComment(JSON.stringify({ ...map, sources, sourcesContent })) };
}

/** Bundles say where their lines come from, which is how a debugger finds the author's files. */
export function withInlineMaps(bundler: Bundler): Bundler {
  return {
    ...bundler,
    bundle: async (input, packages) =>
      withMap(await bundler.bundle(input, packages), "file" in input ? rootUrl(input) : undefined),
  };
}
