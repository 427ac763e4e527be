import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngine } from "../../packages/runtime/src/engine.cases.ts";
import { startTestRegistry, type TestRegistry } from "../../packages/runtime/src/packages/registry.cases.ts";
import { importMistakes } from "./import-mistakes.ts";
import { memberMistakes } from "./member-mistakes.ts";
import type { Mistake, Tool } from "./mistake.ts";
import { propMistakes } from "./prop-mistakes.ts";
import { runMistakes } from "./run-mistakes.ts";
import { everyTool, tellMistake } from "./told.ts";

const chapters: { readonly [title: string]: readonly Mistake[] } = {
  Members: memberMistakes,
  Props: propMistakes,
  Runs: runMistakes,
  Imports: importMistakes,
};
const all = Object.values(chapters).flat();
const told = new Map<string, ReadonlyMap<Tool, string>>();

const cache = mkdtempSync(join(tmpdir(), "x-mistakes-"));
let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(async () => {
  await registry.close();
  rmSync(cache, { recursive: true, force: true });
});

test("there are at least 60 mistakes, each with a unique title", () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
});

test.each(all.map((mistake) => [mistake.title, mistake] as const))(
  "%s is told with its place and its repair",
  async (title, mistake) => {
    const said = await tellMistake(mistake, await testEngine(), { registry: registry.url, cache });
    told.set(title, said);
    for (const [tool, text] of said) for (const each of mistake.says) expect(text, tool).toContain(each);
  },
);

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;

/** Tools with the same message share an entry. */
function messages(said: ReadonlyMap<Tool, string>): string[] {
  const byText = Map.groupBy(
    everyTool.filter((tool) => said.has(tool)),
    (tool) => said.get(tool) ?? "",
  );
  return [...byText]
    .filter(([text]) => text.trim() !== "")
    .map(
      ([text, tools]) =>
        `${tools.map((tool) => (tool === "harness" ? "harness" : `x ${tool}`)).join(", ")}:\n\n${fenced("text", text)}`,
    );
}

test("MESSAGES.md has all messages", async () => {
  const made = Object.entries(chapters).flatMap(([chapter, mistakes]) => [
    `## ${chapter}\n`,
    ...mistakes.map(({ title, code }) => {
      const said = told.get(title);
      return [`### ${title}\n`, fenced("js", code), ...(said ? messages(said) : [])].join("\n");
    }),
  ]);
  const head = "# What beginners are told\n\nMade by `vitest run test/mistakes/mistakes.test.ts -u`.\n";
  const file = fileURLToPath(new URL("MESSAGES.md", import.meta.url));
  await expect([head, ...made].join("\n"), "The page is stale: renew it").toMatchFileSnapshot(file);
});
