import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { visit } from "./chromium.ts";
import { startServed } from "./served.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectQuiet } from "./stage.ts";

const many = 10_000;
const atOnce = 100;
/** Rows of a screen, and some above and below. */
const mostDrawn = 60;

/** Begins before the page: the most rows that are drawn at a time, however many there are. */
const watchRows = `
  globalThis.mostRows = 0;
  new MutationObserver(() => {
    globalThis.mostRows = Math.max(globalThis.mostRows, document.querySelectorAll("tr, [role=row]").length);
  }).observe(document, { childList: true, subtree: true });`;

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
describeInBrowser((get) => {
  test("10,000 sources are loaded, scrolled and searched, and never more of them drawn than a screen shows", async () => {
    await using served = await startServed();
    const { runtime } = served;
    const { id } = await runtime.saveComponent({ code: component({ name: "Many" }) });
    for (let from = 0; from < many; from += atOnce) {
      const names = Array.from({ length: atOnce }, (_, index) => `many ${from + index}`);
      await Promise.all(names.map((name) => runtime.deploy({ componentId: id, name })));
    }
    await using visited = await visit(get().browser, "about:blank");
    const { page } = visited;
    await page.addInitScript(watchRows);
    await page.goto(served.link());
    await expect.poll(() => rowCount(page)).toBe(String(many + 1));
    await page.evaluate(scrollThrough);
    await page.getByRole("link", { name: "many 0", exact: true }).waitFor();
    await page.getByRole("searchbox").pressSequentially("many 9999");
    await expect.poll(() => rowCount(page)).toBe("2");
    const mostRows = await page.evaluate<number>("globalThis.mostRows");
    expect(mostRows).toBeGreaterThan(2);
    expect(mostRows).toBeLessThan(mostDrawn);
    expectQuiet({ ...visited, strangers: [] });
  });
});
