import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { visit } from "./chromium.ts";
import { startServed } from "./served.ts";
import { expectQuiet, type GetStage } from "./stage.ts";

const many = 10_000;
const atOnce = 100;
const longestTaskMs = 200;

/** Begins before the page: the longest task of its thread, in ms. */
const watchTasks = `
  globalThis.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longestTask = Math.max(globalThis.longestTask, duration);
  }).observe({ type: "longtask", buffered: true });`;

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

const rowCount = (page: Page): Promise<string | null> => page.getByRole("table").getAttribute("aria-rowcount");

/** A list of very many sources. */
export function describeManySources(get: GetStage): void {
  test("10,000 sources are loaded, scrolled and searched, and no task takes more than 200 ms", async () => {
    await using served = await startServed();
    const { runtime } = served;
    const { id } = await runtime.saveComponent({ code: component({ name: "Many" }) });
    for (let from = 0; from < many; from += atOnce) {
      const names = Array.from({ length: atOnce }, (_, index) => `many ${from + index}`);
      await Promise.all(names.map((name) => runtime.deploy({ componentId: id, name })));
    }
    await using visited = await visit(get().browser, "about:blank");
    const { page } = visited;
    await page.addInitScript(watchTasks);
    await page.goto(served.link());
    await expect.poll(() => rowCount(page)).toBe(String(many + 1));
    expect(await page.getByRole("row").count()).toBeLessThan(60);
    await page.evaluate(scrollThrough);
    await page.getByRole("link", { name: "many 0", exact: true }).waitFor();
    await page.getByRole("searchbox").pressSequentially("many 9999");
    await expect.poll(() => rowCount(page)).toBe("2");
    expect(await page.evaluate<number>("globalThis.longestTask")).toBeLessThan(longestTaskMs);
    expectQuiet({ ...visited, strangers: [] });
  });
}
