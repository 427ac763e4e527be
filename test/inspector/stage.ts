import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";

import { shoot, type View, visit, type Visit } from "./chromium.ts";
import type { Served } from "./served.ts";

/** What the tests of all pages share: one browser and one service. */
export interface Stage {
  readonly browser: Browser;
  readonly served: Served;
}

export type GetStage = () => Stage;

/** Opens a page of the inspector, signed in by a link; with an API key as its user. */
export async function openSignedIn(
  { browser, served }: Stage,
  path: string,
  view: View = {},
  apiKey?: string,
): Promise<Visit> {
  const visited = await visit(browser, apiKey === undefined ? served.link() : served.url, view);
  if (apiKey !== undefined) {
    await visited.page.getByLabel("API key").fill(apiKey);
    await visited.page.keyboard.press("Enter");
  }
  await visited.page.locator(".shell").waitFor();
  await visited.page.goto(`${served.url}/#${path}`);
  return visited;
}

/** Nothing went wrong in the page, and it asked no other host. */
export function expectQuiet({ problems, strangers }: Visit): void {
  expect(problems).toEqual([]);
  expect(strangers).toEqual([]);
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules of WCAG A and AA that a page breaks, with what breaks them. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, because the policy of the page allows no script of others.
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document)");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/**
 * Looks at a page in both colours and at 360 px: axe finds nothing, and nothing is wider than the screen. `ready` waits for
 * what the page shows. Writes screenshots named after it.
 */
export async function expectAccessible(
  stage: Stage,
  path: string,
  name: string,
  ready: (page: Page) => Promise<unknown>,
): Promise<void> {
  const views: readonly (View & { readonly as: string })[] = [
    { as: "light", colours: "light" },
    { as: "dark", colours: "dark" },
    { as: "narrow", colours: "light", width: 360, height: 740 },
  ];
  for (const view of views) {
    await using visited = await openSignedIn(stage, path, view);
    const { page } = visited;
    await ready(page);
    await shoot(page, `${name}-${view.as}`);
    expect(await findViolations(page), `${name} ${view.as}`).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), `${name} ${view.as}`).toBe(0);
    expectQuiet(visited);
  }
}
