import { expect, test } from "vitest";

import { evaluate, testBundler as bundler } from "../bundle.cases.ts";
import { fetchedSource } from "./fetched-source.ts";

const nothing = fetchedSource({ entry: "a/b.mjs", texts: new Map(), links: new Map() });
const meaning = (specifier: string, importer: string): unknown => {
  const found = nothing.find(specifier, importer);
  return "missing" in found ? found.missing.candidates : found;
};

test.each([
  ["./c.mjs", "a/b.mjs", ["a/c.mjs"]],
  ["../c.json", "a/b.mjs", ["c.json"]],
  ["./c", "a/b.mjs", ["a/c", "a/c.js", "a/c.mjs", "a/c.ts"]],
  ["../acme.app", "a/b.mjs", ["acme.app", "acme.app.js", "acme.app.mjs", "acme.app.ts"]],
  ["./c.js", "a/b.ts", ["a/c.js", "a/c.ts"]],
  ["./c.mjs", "a/b.mts", ["a/c.mjs", "a/c.mts"]],
  ["../../../../c.mjs", "a/b.mjs", ["c.mjs"]],
  ["./c d.mjs", "a/b.mjs", ["a/c%20d.mjs"]],
  ["..//host/c.mjs", "a/b.mjs", ["/host/c.mjs"]],
  ["./%2e%2e/%2e%2e/c.mjs", "a/b/d.mjs", ["c.mjs"]],
  ["./__proto__.mjs", "b.mjs", ["__proto__.mjs"]],
])("the import of %s by %s means these paths of the same origin, best first", (specifier, importer, candidates) => {
  expect(meaning(specifier, importer)).toEqual(candidates);
});

test("all missing files are reported at once, and the others are bundled", async () => {
  const texts = new Map([
    ["a.mjs", `import one, { two } from "./one.mjs"; import "./__proto__.mjs"; export default { one, two };`],
  ]);
  const links = new Map([["a.mjs", "a.mjs"]]);
  const first = await bundler.bundleFetched({ entry: "a.mjs", texts, links });
  expect("missing" in first && first.missing.map(({ asked }) => asked)).toEqual(["one.mjs", "__proto__.mjs"]);
  texts.set("moved/one.mjs", `import deep from "./deep.json"; export const two = deep.two; export default 1;`);
  texts.set("__proto__.mjs", "globalThis.seen = 1;");
  links.set("one.mjs", "moved/one.mjs").set("__proto__.mjs", "__proto__.mjs");
  const second = await bundler.bundleFetched({ entry: "a.mjs", texts, links });
  expect("missing" in second && second.missing.map(({ asked }) => asked)).toEqual(["moved/deep.json"]);
  texts.set("moved/deep.json", `{ "two": 2 }`);
  links.set("moved/deep.json", "moved/deep.json");
  const built = await bundler.bundleFetched({ entry: "a.mjs", texts, links });
  if ("missing" in built) throw new Error("Nothing should be missing");
  expect(evaluate(built.bundle)).toMatchObject({ default: { one: 1, two: 2 } });
  expect(built.files).toEqual(["a.mjs", "__proto__.mjs", "moved/deep.json", "moved/one.mjs"]);
});
