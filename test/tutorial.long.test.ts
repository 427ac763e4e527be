import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

import { chromiumPath } from "./inspector/chromium.ts";
import { type LoopbackRelease, releaseOnLoopback } from "./packed/loopback-release.ts";
import { makeHome, managers } from "./packed/managers.ts";
import { look } from "./tutorial/pictures.ts";
import { readShown } from "./tutorial/shown.ts";
import { readTranslation, type Translate } from "./tutorial/translation.ts";
import { walkTutorial } from "./tutorial/walk.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = join(root, "docs/tutorial");
const renew = process.env["X_PICTURES"] === "renew";

let release: LoopbackRelease | undefined;

beforeAll(async () => {
  release = await releaseOnLoopback(root);
});
afterAll(() => release?.[Symbol.asyncDispose]());

test("a release publishes each package once, those that others need first", () => {
  const published = [...(release?.printed ?? "").matchAll(/^@x\/(\w+)@\d\S* is published$/gm)].map(
    ([, name = ""]) => name,
  );
  expect(published.toSorted()).toEqual(
    "cli client create inspector postgres runtime sandbox server testing types".split(" "),
  );
  const inOrder = (first: string, second: string): boolean => published.indexOf(first) < published.indexOf(second);
  expect([inOrder("runtime", "server"), inOrder("runtime", "postgres")]).toEqual([true, true]);
  expect([inOrder("server", "cli"), inOrder("cli", "create")]).toEqual([true, true]);
});

/** The column of the page for a manager; the page has none for the installer of bun. */
const columnOf = (name: string): string | undefined => /^(?:npm|pnpm|Yarn)/.exec(name)?.[0];

test.each(managers.filter(({ name }) => columnOf(name) !== undefined))(
  "the tutorial works step by step with $name, and shows what a user sees",
  async (manager) => {
    const registry = release?.url ?? "";
    const home = makeHome(manager, registry);
    try {
      const translated = readTranslation(
        readFileSync(join(pages, "1-make-a-project.md"), "utf8"),
        columnOf(manager.name) ?? "",
      );
      const translate: Translate = (text) => manager.adapts?.(translated(text)) ?? translated(text);
      const place = { home, nodeFolder: dirname(process.execPath), registry, translate };
      const problems: string[] = [];
      const walk = await walkTutorial(pages, place, async (moment) => {
        if (chromiumPath !== undefined) problems.push(...(await look(moment, renew)));
      });
      const transcripts = join(root, "test/.tmp/transcripts");
      mkdirSync(transcripts, { recursive: true });
      writeFileSync(join(transcripts, `tutorial-${manager.name.replaceAll(/\W+/g, "-")}.txt`), walk.transcript);
      expect(walk).toMatchObject({ pages: 7, pictures: 3 });
      expect(walk.compared).toBeGreaterThan(15);
      expect(problems).toEqual([]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);

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

test.for([
  ["npm create @x a -- --template b", "pnpm create @x a --template b"],
  ["  npx @x/cli dev a.js", "  pnpm exec x dev a.js"],
  ["npm install", "pnpm install"],
  ["npx @x/client", "npx @x/client"],
] as const)("the pnpm column of the tutorial translates %j to %j", ([npm, pnpm]) => {
  const page = readFileSync(join(pages, "1-make-a-project.md"), "utf8");
  expect([readTranslation(page, "npm")(npm), readTranslation(page, "pnpm")(npm)]).toEqual([npm, pnpm]);
});
