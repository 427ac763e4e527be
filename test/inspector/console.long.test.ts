import { expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { visit, type Visit } from "./chromium.ts";
import { startServed } from "./served.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectQuiet } from "./stage.ts";

const code = component({
  name: "Walked",
  props: `http: "$.interface.http", db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 3600 } }`,
  run: `if (event.fail) throw new Error("planned"); this.db.set("last", 1); console.log("seen"); this.$emit(event);`,
});

/** Opens all pages of the navigation, all parts of a source, and a run; waits until each has loaded. */
async function walk({ page }: Visit, url: string, source: string, run: string): Promise<void> {
  const follow = async (navigation: string): Promise<void> => {
    const links = page.getByRole("navigation", { name: navigation }).getByRole("link");
    await links.first().waitFor();
    for (const link of await links.all()) {
      await link.click();
      await expect.poll(() => link.getAttribute("aria-current")).toBe("page");
      await loaded();
    }
  };
  const loaded = async (): Promise<void> => {
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
  };
  await follow("Pages");
  await page.goto(`${url}/#/sources/${source}`);
  await follow("Parts of walked over");
  await page.goto(`${url}/#/runs/${run}`);
  await page.getByRole("heading", { name: "Timeline" }).waitFor();
  await loaded();
}

/** What the console of the browser says. */
describeInBrowser((get) => {
  test("the console has no error while all pages are opened, for the first user and for others", async () => {
    await using served = await startServed();
    const { runtime, url } = served;
    const other = await runtime.addUser({ username: "walks" });
    for (const [apiKey, api] of [
      [served.apiKey, runtime],
      [other.apiKey, runtime.as(other.id)],
    ] as const) {
      const { source } = await api.deploy({ code, name: "walked over" });
      await api.createWebhook({ url: "https://shop.test/orders", name: "Shop" });
      await api.invoke(source.id, { event: { fail: true } });
      const { executionId } = await api.invoke(source.id, { event: {} });
      await using visited = await visit(get().browser, url);
      const { page } = visited;
      await page.getByLabel("API key").fill(apiKey);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Sources" }).waitFor();
      await walk(visited, url, source.id, executionId);
      expect(visited.errors).toEqual([]);
      expectQuiet(visited);
    }
  });
});
