import { pathToFileURL } from "node:url";

import type { Bundled, Bundler, LocalCode } from "../contract.ts";
import { mapComment } from "./map-comment.ts";
import { realRootOf } from "./source-set.ts";

/** The root folder of a file as a URL. */
const rootUrl = (code: Extract<LocalCode, { file: string }>): string => pathToFileURL(`${realRootOf(code)}/`).href;

function withMap(bundled: Bundled, root: string | undefined): Bundled {
  const map = JSON.parse(bundled.sourceMap) as { sources: string[] };
  const own = new Set(bundled.files);
  const sources = map.sources.map((name) =>
    root !== undefined && own.has(name) ? new URL(encodeURI(name), root).href : name,
  );
  // The map contains code sent as text, because no file has it.
  const sourcesContent = map.sources.map((name) => (root === undefined && own.has(name) ? bundled.code : null));
  return { ...bundled, bundle: bundled.bundle + mapComment(JSON.stringify({ ...map, sources, sourcesContent })) };
}

/** Adds inline source maps, with which a debugger finds the author's files. */
export function withInlineMaps(bundler: Bundler): Bundler {
  return {
    ...bundler,
    bundle: async (input, packages) =>
      withMap(await bundler.bundle(input, packages), "file" in input ? rootUrl(input) : undefined),
  };
}
