import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import { packages } from "./rooms.ts";

const folder = fileURLToPath(new URL("../docs/decisions", import.meta.url));
const files = readdirSync(folder)
  .filter((name) => name !== "README.md")
  .toSorted();
const decisions = files.map((file) => ({ file, text: readFileSync(`${folder}/${file}`, "utf8") }));
const head = /^# (\d{4})\. (.+)\n\nDate: (\d{4}-\d{2}-\d{2}), part: (\w+)\n/;
/** The parts of x that decisions are about: its packages, its tests, and `all` of it. */
const parts = ["all", ...Object.keys(packages).filter((name) => name !== "model"), "tests"];

describe.each(decisions)("$file", ({ file, text }) => {
  test("has a number, a title, a date, a part of x and its three sections", () => {
    expect(file).toMatch(/^\d{4}-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/);
    const [, number, title = "", date = "", part] = head.exec(text) ?? [];
    expect(parts).toContain(part);
    const replaced = /\(replaced by (\d{4})\)$/.exec(title)?.[1];
    expect(files.some((name) => replaced === undefined || name.startsWith(`${replaced}-`))).toBe(true);
    expect(number).toBe(file.slice(0, 4));
    expect(new Date(date).toISOString()).toMatch(new RegExp(`^${date}`));
    const sections = text.split(/^## /m).slice(1);
    expect(sections.map((section) => section.split("\n")[0])).toEqual(["Context", "Decision", "Consequences"]);
    for (const section of sections) expect(section.split("\n").slice(1).join("").trim()).not.toBe("");
  });

  test("has at most 30 lines", () => {
    expect(text.split("\n").length - 1).toBeLessThanOrEqual(30);
  });
});

test("the decisions are numbered without gaps", () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
});

test("README.md lists every decision by the part that it is about", async () => {
  const rowsOf = (wanted: string): string[] =>
    decisions.flatMap(({ file, text }) => {
      const [, number, title, date, part] = head.exec(text) ?? [];
      return part === wanted ? [`- [${number}](${file}) ${title} (${date})`] : [];
    });
  const sections = parts.map((part) => ({ part, rows: rowsOf(part) })).filter(({ rows }) => rows.length > 0);
  const page = `# Decisions

Each file records one decision: its context, the decision, and its consequences with what was measured. The title of one
that no longer holds names the one that replaces it. \`vitest run test/decisions.test.ts -u\` renews this list.

${sections.map(({ part, rows }) => `## ${part}\n\n${rows.join("\n")}\n`).join("\n")}`;
  await expect(page, "renew it: vitest run test/decisions.test.ts -u").toMatchFileSnapshot(`${folder}/README.md`);
});
