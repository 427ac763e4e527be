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
/** Lists are read in pages of a hundred; the flow needs those of sources, listeners among them, workflows and webhooks. */
const maxRequests = (4 * many) / 100 + 40;

/** Scrolls a list to its end in screens, one in each frame. */
const scrollThrough = `(async () => {
  const list = document.querySelector(".table-scroll");
  const frame = () => new Promise(requestAnimationFrame);
  for (let top = 0; top < list.scrollHeight; top += 40 * list.clientHeight) {
    list.scrollTop = top;
    await frame();
    for (let step = 0; step < 4; step += 1) {
      list.scrollTop += list.clientHeight / 2;
      await frame();
    }
  }
  list.scrollTop = list.scrollHeight;
  await frame();
})()`;

const toTheEnd = `document.querySelector(".table-scroll").scrollTop = 1e6`;

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
      expect(report.requests, page.name).toBeLessThan(maxRequests);
    }
    await visitRows(browser, served, { name: "Sources", path: "/sources" }, {}, async ({ page }) => {
      await page.evaluate(scrollThrough);
      await page.getByRole("link", { name: "source 0", exact: true }).waitFor();
      await page.getByRole("searchbox").pressSequentially("source 2999");
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
      await page.getByRole("searchbox").fill("account 29");
      await expect.poll(() => rows.count()).toBe(100);
      await page.getByRole("searchbox").fill("account 2929");
      await expect.poll(() => rows.count()).toBe(1);
      await page.getByRole("searchbox").fill("nobody");
      await page.getByText("Nothing matches").waitFor();
    });
  });
});
