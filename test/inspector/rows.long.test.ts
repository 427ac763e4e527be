import { expect, test } from "vitest";

import { shoot } from "./chromium.ts";
import { describeInBrowser } from "./in-browser.ts";
import { startManyRows } from "./many-rows.ts";
import { findMisplaced } from "./misplaced.ts";
import { rowsPages, visitRows } from "./rows-visit.ts";
import { expectQuiet } from "./stage.ts";

/** `npm run bench:inspector` measures more. */
const many = 3_000;
/** A screen of rows, or a hundred rows with their buttons. */
const maxElements = 2_500;
/** The flow and the apps need whole lists, which are read in pages of a hundred: sources, listeners among them, workflows, webhooks, accounts. */
const needWhole = ["Flow", "Apps", "An app"];
const maxRequests = (4 * many) / 100 + 40;
/** Every other page asks for what it shows. */
const maxShown = 12;

const toTheEnd = `document.querySelector(".table-scroll").scrollTop = 1e6`;

const lastShown = `Number([...document.querySelectorAll("[aria-rowindex]")].at(-1).getAttribute("aria-rowindex"))`;

describeInBrowser((get) => {
  test("with thousands of rows of each kind no page draws many of them, asks very often, or cuts anything off", async () => {
    const { browser } = get();
    await using served = await startManyRows(many);
    for (const page of rowsPages(served)) {
      const report = await visitRows(browser, served, page, {}, async (visited) => {
        for (const width of [1440, 390]) {
          await visited.page.setViewportSize({ width, height: 900 });
          await shoot(visited.page, `rows-${page.name.toLowerCase().replaceAll(" ", "-")}-${width}`);
          expect(await findMisplaced(visited.page), `${page.name}, ${width} px`).toEqual([]);
        }
        expectQuiet({ ...visited, strangers: [] });
      });
      expect(report.elements, page.name).toBeLessThan(maxElements);
      expect(report.requests, page.name).toBeLessThan(needWhole.includes(page.name) ? maxRequests : maxShown);
    }
    await visitRows(browser, served, { name: "Sources", path: "/sources" }, {}, async ({ page }) => {
      await expect.poll(() => page.evaluate<number>(`${toTheEnd}; ${lastShown}`)).toBeGreaterThan(300);
      await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe(String(2 * many + 2));
      await page.getByRole("main").getByRole("searchbox").pressSequentially("source 2999");
      await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
    });
    await visitRows(
      browser,
      served,
      { name: "Logs", path: `/logs?source=${served.ids.source}` },
      {},
      async ({ page }) => {
        for (const rows of ["101", "201", "301"]) {
          await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe(rows);
          await page.evaluate(toTheEnd);
        }
      },
    );
    await visitRows(browser, served, { name: "Accounts", path: "/accounts" }, {}, async ({ page }) => {
      const rows = page.getByRole("row", { name: /^slack/ });
      expect(await rows.count()).toBe(100);
      await page.getByRole("button", { name: "Show more of 2,900" }).click();
      await expect.poll(() => rows.count()).toBe(200);
      await page.getByRole("main").getByRole("searchbox").fill("account 29");
      await expect.poll(() => rows.count()).toBe(100);
      await page.getByRole("main").getByRole("searchbox").fill("account 2929");
      await expect.poll(() => rows.count()).toBe(1);
      await page.getByRole("main").getByRole("searchbox").fill("nobody");
      await page.getByText("Nothing matches").waitFor();
    });
  });
});
