import { setTimeout as pause } from "node:timers/promises";

import type { Browser, Page, Request } from "playwright-core";

import { type View, visit, type Visit } from "./chromium.ts";
import type { ManyRows } from "./many-rows.ts";

/** A page that shows rows of a service that has very many. */
export interface RowsPage {
  readonly name: string;
  readonly path: string;
}

export const rowsPages = ({ ids: { source, webhook } }: ManyRows): readonly RowsPage[] => [
  { name: "Overview", path: "/overview" },
  { name: "Sources", path: "/sources" },
  { name: "A source", path: `/sources/${source}` },
  { name: "Events", path: `/sources/${source}/events` },
  { name: "Runs of a source", path: `/sources/${source}/runs` },
  { name: "Requests", path: `/sources/${source}/requests` },
  { name: "Errors", path: `/sources/${source}/errors` },
  { name: "Database", path: `/sources/${source}/database` },
  { name: "Runs", path: "/runs" },
  { name: "Logs", path: "/logs" },
  { name: "Flow", path: "/flow" },
  { name: "Webhooks", path: "/webhooks" },
  { name: "Deliveries", path: `/webhooks/${webhook}` },
  { name: "Workflows", path: "/workflows" },
  { name: "Data stores", path: "/data-stores" },
  { name: "A data store", path: "/data-stores/busy" },
  { name: "Registry", path: "/deploy?from=registry" },
  { name: "Accounts", path: "/accounts" },
  { name: "Apps", path: "/apps" },
  { name: "An app", path: "/apps/slack" },
  { name: "Users", path: "/users" },
];

/** What opening a page took. */
export interface RowsReport {
  /** The longest task of the main thread; ms. 0 when none took 50 ms. */
  readonly longestTask: number;
  /** The most elements of the page at a time. */
  readonly elements: number;
  readonly requests: number;
}

/** Begins before the page. */
const watching = `
  globalThis.longestTask = 0;
  globalThis.maxElements = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longestTask = Math.max(globalThis.longestTask, duration);
  }).observe({ type: "longtask", buffered: true });
  new MutationObserver(() => {
    globalThis.maxElements = Math.max(globalThis.maxElements, document.getElementsByTagName("*").length);
  }).observe(document, { childList: true, subtree: true });`;

const quietMs = 500;
const many = 10_000;

/** Counts requests of the interface. `quiet` resolves when none was made for half a second. */
function watchRequests(page: Page): { readonly count: () => number; quiet(): Promise<void> } {
  const open = new Set<Request>();
  let count = 0;
  let last = performance.now();
  page.on("request", (request) => {
    if (!request.url().includes("/v1/") || /stream|\/sse/.test(request.url())) return;
    count += 1;
    open.add(request);
  });
  const end = (request: Request): void => {
    if (open.delete(request)) last = performance.now();
  };
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return {
    count: () => count,
    async quiet() {
      while (open.size > 0 || performance.now() - last < quietMs) await pause(quietMs / 10);
    },
  };
}

/** The registry reads each of its components: here its answer is made up. */
const registryPage = {
  page_info: { total_count: many, count: 100, start_cursor: "", end_cursor: "" },
  progress: { known: many, evaluated: many, refused: 0, total: many },
  data: Array.from({ length: 100 }, (_, n) => ({ key: `component-${n}`, name: `Component ${n}`, version: "1.0.0" })),
};

/** Opens a page and waits until it is loaded; `look` then looks at it. */
export async function visitRows(
  browser: Browser,
  served: ManyRows,
  { path }: RowsPage,
  view: View = {},
  look: (visited: Visit) => Promise<void> = () => Promise.resolve(),
): Promise<RowsReport> {
  await using visited = await visit(browser, served.link(), view);
  const { page } = visited;
  await page.locator(".shell").waitFor();
  await page.goto("about:blank");
  await page.addInitScript(watching);
  await page.route("**/v1/components/registry?*", (route) => route.fulfill({ json: registryPage }));
  const requests = watchRequests(page);
  await page.goto(`${served.url}/#${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await requests.quiet();
  const [longestTask = 0, elements = 0] = await page.evaluate<number[]>("[longestTask, maxElements]");
  const report = { longestTask, elements, requests: requests.count() };
  await look(visited);
  return report;
}
