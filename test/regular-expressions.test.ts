import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { tokenizer } from "acorn";
import { transformSync } from "esbuild";
import { analyse } from "scslre";
import { expect, test } from "vitest";

/** Expressions that may take longer than their input is long, and why that does no harm. */
const allowed: { readonly [literal: string]: string } = {
  "/(\\d+(?:\\.\\d+)?)\\s*(ms|[smhdw])/g": "a duration in a test of the author, of the form of a stricter expression",
  "/(\\d+(?:\\.\\d+)?)\\s*(ms|[smhd])/g": "a duration that somebody types into their own page",
  "/^(>?)\\s*(\\d*)\\s*\\| ?(.*)$/": "a line of a code frame, which has at most 200 characters",
};

const root = fileURLToPath(new URL("..", import.meta.url));
/** Code that runs on threads of the host. The guest's ends with its run. */
const files = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).filter(
  (file) => !/\.(?:test|cases|test-d)\.tsx?$/.test(file) && !file.startsWith("packages/sandbox/src/guest/"),
);

interface Literal {
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions of a file of TypeScript. */
function literalsOf(text: string, loader: "ts" | "tsx"): Literal[] {
  const { code } = transformSync(text, { loader, target: "esnext" });
  return [...tokenizer(code, { ecmaVersion: "latest", sourceType: "module" })].flatMap((token) => {
    if (token.type.label !== "regexp") return [];
    const { value } = token as unknown as { readonly value: { readonly pattern: string; readonly flags: string } };
    return [{ source: value.pattern, flags: value.flags }];
  });
}

const isSlow = (literal: Literal): boolean => analyse(literal, { reportTypes: { Move: true } }).reports.length > 0;

const found = new Map<string, Literal & { readonly file: string }>();
for (const file of files)
  for (const literal of literalsOf(readFileSync(`${root}/${file}`, "utf8"), file.endsWith("x") ? "tsx" : "ts"))
    found.set(`/${literal.source}/${literal.flags}`, { ...literal, file });

test("no regular expression takes longer than its input is long, but for the few that are listed", () => {
  expect(found.size).toBeGreaterThan(300);
  const slow = [...found].filter(([, literal]) => isSlow(literal));
  const unknown = slow.filter(([text]) => !Object.hasOwn(allowed, text)).map(([text, { file }]) => `${file}: ${text}`);
  expect(unknown, "Bound what is repeated, or begin with what cannot be in front: (?<!x)x+$").toEqual([]);
  expect(
    Object.keys(allowed).filter((text) => !slow.some(([each]) => each === text)),
    "no longer needed",
  ).toEqual([]);
});

test("the check finds exponential and quadratic expressions, and passes bounded ones", () => {
  for (const source of ["^(a+)+$", "^\\d+\\.?\\d*$", "a+$", "\\s+at x"])
    expect(isSlow({ source, flags: "" }), source).toBe(true);
  for (const source of ["^a+$", "(?<!a)a+$", "^\\d+(?:\\.\\d*)?$", "a{1,64}$", "^ +at x"])
    expect(isSlow({ source, flags: "" }), source).toBe(false);
});
