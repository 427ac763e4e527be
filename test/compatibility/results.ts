import type { Scenario } from "./scenario.ts";

/** The result of a scenario. */
export interface Result {
  readonly scenario: Scenario;
  /** Absent when the sandbox cannot load the component at all. */
  readonly bundleBytes?: number;
}

/** Rounds to two digits. */
function shownSize(bytes: number): string {
  const kilobytes = Number((bytes / 1024).toPrecision(2));
  return kilobytes < 1000 ? `${kilobytes} KB` : `${(kilobytes / 1024).toPrecision(2)} MB`;
}

function bytesOf(size: string): number {
  const [number = "", unit] = size.split(" ");
  return Number(number) * (unit === "MB" ? 1024 * 1024 : 1024);
}

/** The previous size while the new one is about the same, so that small changes do not change the table. */
function sizeCell(bytes: number, before: string | undefined): string {
  const isKept = before !== undefined && Math.abs(bytes / bytesOf(before) - 1) < 0.2;
  return isKept ? before : shownSize(bytes);
}

const cell = (text: string): string => text.replaceAll("|", String.raw`\|`);

const titleCell = ({ scenario }: Result): string => `| ${cell(scenario.title)} |`;

/** Its line in the previous table. */
const lineOf = (table: string, result: Result): string | undefined =>
  table.split("\n").find((line) => line.startsWith(titleCell(result)));

/** One line of the table of results. */
function resultRow(result: Result, before: string): string {
  const { component, packages, differs } = result.scenario;
  const [, sizeBefore] = /\| ([\d.]+ [KM]B) \|/.exec(lineOf(before, result) ?? "") ?? [];
  const size = result.bundleBytes === undefined ? "–" : sizeCell(result.bundleBytes, sizeBefore);
  const names = packages.map((name) => `\`${name}\``).join(" ");
  return `${titleCell(result)} ${[`\`${component}\``, names, size, cell(differs ?? "identical")].join(" | ")} |`;
}

/** `RESULTS.md`, for results of all scenarios; `before` is what it says now. */
export function resultTable(results: readonly Result[], before: string): string {
  const packages = new Set(results.flatMap(({ scenario }) => scenario.packages));
  const components = new Set(results.map(({ scenario }) => scenario.component));
  const same = results.filter(({ scenario }) => scenario.differs === undefined);
  return [
    "# What components with packages do in the sandbox and in Node",
    "",
    "Written by `npm run compatibility`. Each component runs twice against the same upstream: in the sandbox, and in Node",
    "itself. What it asks for, emits, stores, answers and throws is compared.",
    "",
    `${components.size} components with ${packages.size} packages, ${results.length} scenarios: ${same.length} identical.`,
    "",
    "| Scenario | Component | Packages | Bundle | Sandbox and Node |",
    "| --- | --- | --- | ---: | --- |",
    ...results.map((result) => resultRow(result, before)),
    "",
  ].join("\n");
}

/** The table with the lines of these results renewed. */
export function withRows(before: string, results: readonly Result[]): string {
  const added = results.filter((result) => lineOf(before, result) === undefined);
  const renewed = before.split("\n").map((line) => {
    const result = results.find((each) => line.startsWith(titleCell(each)));
    return result ? resultRow(result, before) : line;
  });
  return [...renewed, ...added.map((result) => resultRow(result, before))].join("\n");
}
