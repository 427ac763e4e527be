import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";

import { shoot, type View, visit, type Visit } from "./chromium.ts";
import { findMisplaced } from "./misplaced.ts";
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

/** Only what is needed to name the violations. */
const allRules = '{ resultTypes: ["violations"], iframes: false }';
/** In other colours the rest of the page is the same. */
const colourRules =
  '{ resultTypes: ["violations"], iframes: false, runOnly: ["color-contrast", "link-in-text-block"] }';

/** Rules of WCAG A and AA that a page breaks, with what breaks them. */
export async function findViolations(page: Page, rules: string = allRules): Promise<string[]> {
  // Evaluated by the debugger, because the policy of the page allows no script of others.
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${rules})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

const views = [
  { as: "light", colours: "light", width: 1280, height: 800, rules: allRules },
  { as: "dark", colours: "dark", width: 1280, height: 800, rules: colourRules },
  { as: "narrow", colours: "light", width: 360, height: 740, rules: allRules },
] as const;

/**
 * Looks at a page in both colours and at 360 px: axe finds nothing, and nothing is wider than the screen. `ready` waits for
 * what the page shows; it is loaded anew each time. Writes screenshots named after it.
 */
export async function expectAccessible(
  stage: Stage,
  path: string,
  name: string,
  ready: (page: Page) => Promise<unknown>,
): Promise<void> {
  await using visited = await openSignedIn(stage, path);
  const { page } = visited;
  for (const { as, colours, width, height, rules } of views) {
    if (as !== "light") {
      await page.emulateMedia({ colorScheme: colours });
      await page.setViewportSize({ width, height });
      await page.goto("about:blank");
      await page.goto(`${stage.served.url}/#${path}`);
    }
    await ready(page);
    await shoot(page, `${name}-${as}`);
    expect(await findViolations(page, rules), `${name} ${as}`).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), `${name} ${as}`).toBe(0);
    expect(await findMisplaced(page), `${name} ${as}`).toEqual([]);
    expectQuiet(visited);
  }
}
