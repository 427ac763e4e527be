/** `npm run bench:inspector`: what the main thread of a browser does to open each page of the inspector with very many rows. */
import { parseArgs } from "node:util";

import { launchChromium } from "../test/inspector/chromium.ts";
import { startManyRows } from "../test/inspector/many-rows.ts";
import { type RowsReport, rowsPages, visitRows } from "../test/inspector/rows-visit.ts";
import { machine } from "./machine.ts";
import { updatePage } from "./page.ts";

const { values } = parseArgs({
  options: {
    /** Of each kind. */
    rows: { type: "string", default: "10000" },
    /** Replaces the table in docs/performance.md. */
    update: { type: "boolean", default: false },
  },
});

/** The browser reports only longer ones. */
const shortestMs = 50;
const task = ({ longestTask }: RowsReport): string =>
  longestTask === 0 ? `below ${shortestMs} ms` : `${longestTask.toFixed(0)} ms`;

const browser = await launchChromium();
await using served = await startManyRows(Number(values.rows));
const rows: string[] = [];
for (const page of rowsPages(served)) {
  const wide = await visitRows(browser, served, page, { width: 1440, height: 900 });
  const narrow = await visitRows(browser, served, page, { width: 390, height: 844 });
  rows.push(`| ${page.name} | ${task(wide)} | ${task(narrow)} | ${wide.elements} | ${wide.requests} |`);
  console.log(rows.at(-1));
}
const version = browser.version();
await browser.close();
const table = [
  "| Page | Longest task, 1440 px | Longest task, 390 px | Elements at most | Requests |",
  "| --- | --- | --- | --- | --- |",
  ...rows,
].join("\n");
if (values.update) updatePage("inspector rows", `${machine()}, Chromium ${version}.\n\n${table}`);
