import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { chromiumPath } from "./inspector/chromium.ts";
import { packAll } from "./packed/tarballs.ts";
import { startWholeRegistry } from "./packed/whole-registry.ts";
import { readShown } from "./tutorial/shown.ts";
import { look } from "./tutorial/pictures.ts";
import { walkTutorial } from "./tutorial/walk.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const names = ["types", "runtime", "testing", "inspector", "server", "postgres", "cli"];
const renew = process.env["X_PICTURES"] === "renew";

test("the tutorial works step by step, and shows what a user sees", async () => {
  const folder = mkdtempSync(join(tmpdir(), "x-tutorial-"));
  const tarballs = mkdtempSync(join(tmpdir(), "x-tarballs-"));
  try {
    await using registry = await startWholeRegistry({
      tarballs: await packAll(root, tarballs),
      dependents: names.map((name) => join(root, "packages", name)),
      tools: ["vitest"],
      root,
    });
    const npmrc = `registry=${registry.url}\naudit=false\nfund=false\nupdate-notifier=false\n`;
    writeFileSync(join(folder, ".npmrc"), npmrc);
    const place = { home: folder, nodeFolder: dirname(process.execPath), registry: registry.url };
    const problems: string[] = [];
    const walk = await walkTutorial(join(root, "docs/tutorial"), place, async (moment) => {
      if (chromiumPath !== undefined) problems.push(...(await look(moment, renew)));
    });
    expect(walk).toMatchObject({ pages: 7, pictures: 3 });
    expect(walk.compared).toBeGreaterThan(15);
    expect(problems).toEqual([]);
  } finally {
    for (const each of [folder, tarballs]) rmSync(each, { recursive: true, force: true });
  }
});

const matches = (text: string, output: string): boolean => new RegExp(`^${readShown(text).pattern}$`).test(output);

test.for([
  ["run ok (22 ms, 16.0 MB)", "run ok (1.2 s, 9 KiB)", true],
  ["run ok", "run failed", false],
  ["at 2026-11-28 09:24:46", "at 2027-01-02 23:59:59", true],
  ["a  b", "a      b", true],
  ["a  b", "a b", false],
  ["first\n…\nlast", "first\nlast", true],
  ["first\n…\nlast", "first\nother\n\nlast", true],
  ["first\n…\nlast", "first\nother last", false],
  ["{a: [1, (2)]}?", "{a: [1, (2)]}?", true],
  ["vitest 5.1.0", "vitest 6.0.10", true],
  ["http://127.0.0.1:80 is", "http://127.0.0.2:80 is", false],
  ["run 3MjJFYrAf4T8fNXJZhKT1XzIJCj", "run 3MjJEqhARQEDaIE0LhjMEGbqnMH", true],
] as const)("of the text %j, the output %j: %s", ([text, output, expected]) => {
  expect(matches(text, output)).toBe(expected);
});
