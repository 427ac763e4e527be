import type { SourceMap } from "node:module";
import { pathToFileURL } from "node:url";

import { expect, it } from "vitest";

import type { Bundled, Bundler } from "../contract.ts";
import { withInlineMaps } from "./inline-map.ts";
import { withoutInlineMap } from "./map-comment.ts";

const comment = "\n//# sourceMappingURL=data:application/json;base64,";
const code = `exports.text = \`${comment}AA\`;\n`;
const sourceMap = JSON.stringify({
  version: 3,
  sources: ["a b.mjs", "left-pad/index.js"],
  names: [],
  mappings: "AAAA",
});
const bundled: Bundled = { bundle: code, sourceMap, code: "text", contentHash: "", files: ["a b.mjs"] };
const bundler = withInlineMaps({ bundle: () => Promise.resolve(bundled) } as unknown as Bundler);

const mapOf = (bundle: string): SourceMap["payload"] => {
  const json = bundle.slice(bundle.lastIndexOf(comment) + comment.length);
  return JSON.parse(Buffer.from(json, "base64").toString()) as SourceMap["payload"];
};

it("a bundle names the author's files by where they are, and leaves the names of packages", async () => {
  const here = import.meta.dirname;
  const { bundle, sourceMap: kept } = await bundler.bundle({ file: import.meta.filename, root: here });
  expect(mapOf(bundle).sources).toEqual([pathToFileURL(`${here}/a b.mjs`).href, "left-pad/index.js"]);
  expect(kept).toBe(sourceMap);
});

it("code that came as text is shown as it came", async () => {
  const { bundle } = await bundler.bundle({ code: "text" });
  expect(mapOf(bundle)).toMatchObject({ sources: ["a b.mjs", "left-pad/index.js"], sourcesContent: ["text", null] });
});

it("what is taken off is the map, and never a text of the author's", async () => {
  const { bundle } = await bundler.bundle({ code: "text" });
  expect(withoutInlineMap(bundle)).toBe(code);
  expect(withoutInlineMap(code)).toBe(code);
});
