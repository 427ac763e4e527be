import type { Scenario } from "./scenario.ts";

/** What was seen of a scenario. */
export interface Result {
  readonly scenario: Scenario;
  /** Absent when the sandbox cannot load the component at all. */
  readonly bundleBytes?: number;
}

/** To two digits: a byte more or less is no news. */
function shownSize(bytes: number): string {
  const kilobytes = Number((bytes / 1024).toPrecision(2));
  return kilobytes < 1000 ? `${kilobytes} KB` : `${(kilobytes / 1024).toPrecision(2)} MB`;
}

const cell = (text: string): string => text.replaceAll("|", String.raw`\|`);

/** One line of the table of results. */
function resultRow({ scenario, bundleBytes }: Result): string {
  const { title, component, packages, differs } = scenario;
  const size = bundleBytes === undefined ? "–" : shownSize(bundleBytes);
  const names = packages.map((name) => `\`${name}\``).join(" ");
  return `| ${[title, `\`${component}\``, names, size, differs ?? "identical"].map(cell).join(" | ")} |`;
}

/** `RESULTS.md`. */
export function resultTable(results: readonly Result[]): string {
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
    ...results.map(resultRow),
    "",
  ].join("\n");
}

/** The table with the lines of these results renewed. */
export function withRows(table: string, results: readonly Result[]): string {
  const isOf = (line: string, { scenario }: Result): boolean => line.startsWith(`| ${cell(scenario.title)} |`);
  const lines = table.split("\n");
  const added = results.filter((result) => !lines.some((line) => isOf(line, result)));
  const renewed = lines.map((line) => {
    const result = results.find((each) => isOf(line, each));
    return result ? resultRow(result) : line;
  });
  return [...renewed, ...added.map(resultRow)].join("\n");
}
