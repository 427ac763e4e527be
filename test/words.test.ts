import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

/** Words that stand for something with a common name, and phrases that hide who does what; each with what to write. */
const banned: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\b(?:(?:Worker)?Seats?|seats?)\b/, "worker thread"],
  [/garage/i, "machine pool"],
  [/\bSaidOf\w+/, "call result, module result"],
  [/\bresidents\b|\bcreateResident/, "source cache, cached source"],
  [/\broster\b/i, "workflow registry"],
  [/\bdormant\b/i, "unregistered"],
  [/\b(?:bury|buried|buryDelivery)\b/i, "dead-letter"],
  [/\bverdicts?\b/i, "problem, result, decision"],
  [/\bcallOrder\b|\bCallOrder\b/, "sandbox call"],
  [/\bsource_place\b|\bsourcePlaces?\b/, "list position"],
  [/\bPackageMoment\b|\bcreateMemo\b/, "caching installer, lock cache"],
  [/\bone-shot\b|\bOneShot/, "single run"],
  [/\bhearers?\b|\bhears of\b|\bheard of\b/i, "listener, receives, observes"],
  [/\b(?:is|are|was|were) told\b|\btold of\b/i, "reported, printed, shown, passed to"],
  [/\bwhoever\b/i, "name who"],
  [/\bnobody's\b/i, "name who"],
  [/\bwhat is otherwise\b/i, "other"],
  [/\bterritory\b/i, "held slots"],
  [/\bNoted\b/, "findings, recorded"],
  [/\bcreateTurns\b|: Turns\b/, "job queue, user queues, fair queue"],
  [/\busurp\w*/i, "lease lost"],
  [/\b(?:createPump|createWaves|interface (?:News|Pump|Waves))\b/, "notification, batch"],
  [/\b(?:most|least)[A-Z]\w+/, "max, min"],
  [/\balso\??: (?:readonly )?Change/, "extra changes"],
];

/** Where a project lacks `@x/cli`, npx downloads the package of this name and runs it, and so do its kin; it is not ours. */
const strangers = /\b(?:npx|npm exec|pnpm dlx|pnpx|yarn dlx|bunx)(?: -\S+)* x(?![\w@/.-])/;

const root = fileURLToPath(new URL("..", import.meta.url));
const files = globSync("{*.md,docs/**/*.md,{packages,bench,scripts,test,examples}/**/*.{ts,mjs}}", {
  cwd: root,
  exclude: [
    "**/node_modules",
    "**/dist",
    "**/.tmp",
    "test/compatibility",
    "packages/store/src/sqlite/schema.ts",
    "packages/store/src/sqlite/sqlite.test.ts",
    "test/upgrade/upgrade.long.test.ts",
    "test/words.test.ts",
  ],
});

it("writes code, tests and docs in the terms of the field", () => {
  const found = files.flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        banned
          .filter(([words]) => words.test(line))
          .map(([words, instead]) => `${path}:${index + 1} "${words.exec(line)?.[0]}" -> ${instead}`),
      ),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});

it("names our package in every command that may download what it runs", () => {
  const bare = [
    "npx x run",
    "npx --yes x",
    "`npx x`",
    "npm exec -- x dev",
    "pnpm dlx x",
    "bunx x",
    "yarn dlx -q x new",
  ];
  const named = ["npx @x/cli run", "npx --yes @x/cli", "pnpm exec x", "yarn x", "npx xo", "npx x-ray", "x dlx x"];
  expect([...bare, ...named].filter((line) => strangers.test(line))).toEqual(bare);
  const found = [...files, "deploy/x.service"].filter((path) => strangers.test(readFileSync(join(root, path), "utf8")));
  expect(found).toEqual([]);
});

it("names only files that exist in CONTRIBUTING.md", () => {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const named = [...text.matchAll(/`((?:packages|test|bench|docs|scripts)\/[\w./-]*)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
