import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { exceptions, rules, unseen } from "./rules.ts";
import { labelsOf, titlesIn } from "./test-titles.ts";

const folder = import.meta.dirname;
const root = join(folder, "../..");
const numbers = Object.keys(rules);
const isRule = (label: string): boolean => /^[RGS]\d+$/.test(label);

interface Titled {
  readonly file: string;
  readonly title: string | undefined;
}

const titled: readonly Titled[] = readdirSync(folder)
  .filter((file) => file.endsWith(".test.ts"))
  .toSorted()
  .flatMap((file) => titlesIn(readFileSync(join(folder, file), "utf8")).map((title) => ({ file, title })));
const testsOf = (number: string): Titled[] => titled.filter(({ title }) => labelsOf(title ?? "")[0] === number);

const shown = (tests: readonly Titled[]): string[] => tests.map(({ file, title }) => `${title ?? "?"} (${file})`);

/** True when that file has a test with this title. */
function isHeld({ file, title }: { readonly file: string; readonly title: string }): boolean {
  try {
    return titlesIn(readFileSync(join(root, file), "utf8")).includes(title);
  } catch {
    return false;
  }
}

test("titles of all forms of tests are found, including tables and templates", () => {
  const source = [
    '@("R001 plain", () => {});',
    "  it('R002 it\\'s', async () => { @('no', 1) });",
    "@.each([",
    '  ["a)(b", f("b")],',
    '])("R003 %s", () => {});',
    "@.for(rows)(",
    "  `R004 ${name} of (many)`,",
    "  () => {},",
    ");",
    "@.skip(name, () => {});",
    '// @("R009 a comment")',
  ].join("\n");
  expect(titlesIn(source.replaceAll("@", "test"))).toEqual([
    "R001 plain",
    "R002 it's",
    "R003 %s",
    "R004 ${name} of (many)",
    undefined,
  ]);
});

test("a title may begin with several kinds of labels; a number in its text is no label", () => {
  expect(labelsOf("R125 G47 U1 unique keeps 100 ids")).toEqual(["R125", "G47", "U1"]);
  expect(labelsOf("R057 and G42, S3 to S5 carry")).toEqual(["R057", "G42", "S3", "S5"]);
  expect(labelsOf("3.1 429 more requests, as R115 says")).toEqual(["3.1"]);
  expect(labelsOf("GET /sources, R115, 3.14159")).toEqual([]);
});

test("every test has a literal title, and there are enough tests", () => {
  expect(shown(titled.filter(({ title }) => title === undefined))).toEqual([]);
  const files = new Set(titled.map(({ file }) => file));
  expect(readdirSync(folder).filter((file) => file.endsWith(".test.ts") && !files.has(file))).toEqual([]);
  expect(titled.length).toBeGreaterThan(1.5 * numbers.length);
});

test("every rule has its own test, or an exception with a reason", () => {
  const missing = numbers.filter((number) => testsOf(number).length === 0 && !(number in exceptions));
  expect(missing.map((number) => `${number} ${rules[number] ?? ""}`)).toEqual([]);
});

test("no test has two rules", () => {
  expect(shown(titled.filter(({ title }) => labelsOf(title ?? "").length > 1))).toEqual([]);
});

test("no title names a rule that does not exist", () => {
  const unknown = titled.filter(({ title }) => labelsOf(title ?? "").some((each) => isRule(each) && !(each in rules)));
  expect(shown(unknown)).toEqual([]);
});

test("exceptions name existing rules and tests, and every exception is needed", () => {
  const wrong = Object.entries(exceptions).filter(
    ([number, exception]) =>
      !(number in rules) || testsOf(number).length > 0 || !("reason" in exception || isHeld(exception)),
  );
  expect(wrong).toEqual([]);
  expect(Object.entries(unseen).filter(([number, held]) => !(number in rules) || !isHeld(held))).toEqual([]);
});

/** The rows of a rule, one for each test. */
function rowsOf(number: string): readonly (readonly string[])[] {
  const rule = rules[number] ?? "";
  const [part, exception] = [unseen[number], exceptions[number]];
  const elsewhere = exception && "file" in exception ? exception : undefined;
  return [
    ...testsOf(number).map(({ file, title = "" }) => [number, rule, title.slice(number.length + 1), file]),
    ...(part ? [[number, `${rule}: ${part.part}`, part.title, part.file]] : []),
    ...(elsewhere ? [[number, rule, elsewhere.title, elsewhere.file]] : []),
    ...(exception && "reason" in exception ? [[number, rule, `none: ${exception.reason}`, ""]] : []),
  ];
}

const escaped = (text: string): string => text.replaceAll(/[\\|<*_`]/g, "\\$&");

/** A table in the format of the formatter. */
function drawTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], fill = " "): string =>
    `| ${cells.map((each, column) => each.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [
    line(head),
    line(
      head.map(() => ""),
      "-",
    ),
    ...body.map((row) => line(row)),
  ].join("\n");
}

const renewal = "vitest run test/conformance/table.test.ts -u";

test(`RULES.md lists the tests of each rule; ${renewal} updates it`, async () => {
  const rows = numbers.flatMap(rowsOf).map((row) => row.map(escaped));
  const text = `# Rules and their tests

Made of \`rules.ts\` and the titles of the tests; \`${renewal}\` renews it.

${drawTable([["Number", "Rule", "Test", "File"], ...rows])}
`;
  await expect(text).toMatchFileSnapshot("RULES.md");
});
