import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

interface Bundles {
  make(options: object): Promise<object>;
  licenses(): Promise<string>;
}

const { Bundles: Made } = (await import(new URL("../scripts/bundles.mjs", import.meta.url).href)) as {
  Bundles: new () => Bundles;
};
const runtime = fileURLToPath(new URL("../packages/runtime/", import.meta.url));
const published = readFileSync(`${runtime}dist/THIRD-PARTY-LICENSES.txt`, "utf8");

/** Texts of bundles: of them all, one contains a package. */
const one = `import { LRUCache } from "lru-cache"; console.log(new LRUCache({ max: 1 }))`;
const ways = [0, 1, 2].map((place) => ["console.log(0)", "console.log(1)"].toSpliced(place, 0, one));

test.each(ways)("a package that only one bundle contains is in the licences: %s, %s, %s", async (...contents) => {
  const bundles = new Made();
  for (const each of contents) await bundles.make({ stdin: { contents: each, resolveDir: `${runtime}src` } });
  expect(await bundles.licenses()).toMatch(/^lru-cache \S+ \(.+\)\n[^]*Copyright/m);
});

test("without packages in the bundles no licence is named", async () => {
  const bundles = new Made();
  await bundles.make({ stdin: { contents: "console.log(0)", resolveDir: `${runtime}src` } });
  expect(await bundles.licenses()).not.toMatch(/copyright/i);
});

test("what threads and entries bundle is in the published licences", () => {
  const files = globSync("dist/{*.js,{bundled,threads}/*.{mjs,js}}", { cwd: runtime });
  // Above the code of each file, esbuild names it, except where it minifies.
  const above = /^\s*\/\/ \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm;
  const found = files.flatMap((file) => [
    ...new Set([...readFileSync(`${runtime}${file}`, "utf8").matchAll(above)].map(([, name]) => name)),
  ]);
  const names = [...new Set(found)];
  expect(names).toEqual(expect.arrayContaining(["lru-cache", "quickjs-emscripten"]));
  expect(names.filter((name) => !published.includes(`\n${name} `))).toEqual([]);
});
