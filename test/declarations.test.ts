import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The files that a published package exports from. */
const exporting = globSync("packages/*/src/index.ts", { cwd: root }).flatMap((index) => {
  if (read(index.replace("src/index.ts", "package.json")).includes('"private": true')) return [];
  return [...read(index).matchAll(/from "(\.\/[^"]+)"/g)].map(([, path = ""]) =>
    relative(root, join(root, dirname(index), path)),
  );
});
const comments = (text: string): string[] => text.match(/\/\*\*[\s\S]*?\*\//g) ?? [];

/** References to documents that are not in the repository. */
const reference = /\b[RSGT]\d{1,3}\b|\bcontract \d|\bdesign\.md\b/;

test("docstrings of exports reference no document outside of the repository", () => {
  expect(exporting.length).toBeGreaterThan(50);
  const named = exporting.flatMap((path) =>
    comments(read(path))
      .filter((comment) => reference.test(comment))
      .map((comment) => `${path}: ${comment.slice(0, 120)}`),
  );
  expect(named).toEqual([]);
});

/** Members of an interface without a docstring. */
function undocumented(path: string, name: string): string[] {
  const text = read(path);
  const start = text.search(new RegExp(`export interface ${name}\\b`));
  expect(start, name).toBeGreaterThan(-1);
  const lines = text.slice(start, text.indexOf("\n}\n", start)).split("\n");
  return lines.flatMap((line, index) => {
    const member = /^ {2}(?:readonly )?(\w+)[?(:<]/.exec(line)?.[1];
    return member !== undefined && !lines[index - 1]?.trimEnd().endsWith("*/") ? [`${name}.${member}`] : [];
  });
}

test.each([
  ["api/user-api.ts", "UserRuntime"],
  ["api/runtime-api.ts", "Runtime"],
  ["../../model/src/limits.ts", "Limits"],
  ["api/options.ts", "RuntimeOptions"],
  ["../../model/src/model.ts", "SourceSettings"],
])("in %s every member of %s has a docstring", (path, name) => {
  expect(undocumented(`packages/runtime/src/${path}`, name)).toEqual([]);
});
