import { expect, test } from "vitest";

import { manualClock } from "@x/runtime";

import { component } from "../conformance/fixture.ts";
import { startServed } from "./served.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn, type Stage } from "./stage.ts";

const code = component({ name: "Node", run: `if (event.fail) throw new Error("no"); this.$emit(event)` });

/** The graph of subscriptions. */
describeInBrowser((get) => {
  test("nodes that fail or are paused say so, others are listed apart, rates are those of the last minute, and it fits", async () => {
    await using served = await startServed(manualClock(Date.UTC(2026, 0, 1)));
    const stage: Stage = { browser: get().browser, served };
    const { runtime } = served;
    const [from, to, off] = await Promise.all(
      ["emitting", "failing at last", "switched off"].map(
        async (name) => (await runtime.deploy({ code, name })).source.id,
      ),
    );
    await runtime.deploy({ code, name: "lonely" });
    const hook = await runtime.createWebhook({ url: "https://shop.test/missing", name: "Refusing" });
    for (const [emitterId = "", listenerId = ""] of [
      [from, to],
      [from, hook.id],
      [off, hook.id],
    ])
      await runtime.subscribe({ emitterId, listenerId });
    await runtime.update(off ?? "", { active: false });
    await runtime.invoke(from ?? "", { event: { fail: true } }).catch(() => undefined);
    await runtime.invoke(from ?? "", { event: { ok: true } });
    await runtime.invoke(to ?? "", { event: { fail: true } });
    await expect.poll(async () => (await runtime.webhookActivity(hook.id)).lastAttempt?.error).toBeTruthy();
    const isThere = async (page: Parameters<Parameters<typeof expectAccessible>[3]>[0]): Promise<void> => {
      await page.getByRole("link", { name: "failing at last source, failing" }).waitFor();
      await page.getByRole("link", { name: "Refusing webhook, failing" }).waitFor();
      await page.getByRole("link", { name: "switched off source, paused" }).waitFor();
      await page.getByRole("link", { name: "emitting source 2/min" }).waitFor();
    };
    await expectAccessible(stage, "/flow", "flow-failing", isThere);
    await using visited = await openSignedIn(stage, "/flow", { width: 390, height: 700 });
    const { page } = visited;
    await isThere(page);
    const isWide = (): Promise<boolean> =>
      page.evaluate<boolean>(
        `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector(".flow-scroll"))`,
      );
    await expect.poll(isWide).toBe(false);
    await page.getByRole("button", { name: "Larger" }).click();
    await expect.poll(isWide).toBe(true);
    await page.getByRole("button", { name: "Fit" }).click();
    await expect.poll(isWide).toBe(false);
    await page.getByText("1 without subscriptions").click();
    await page.getByRole("link", { name: "lonely" }).waitFor();
    await runtime.invoke(to ?? "", { event: {} });
    await page.getByRole("link", { name: "failing at last source 3/min" }).waitFor();
    expectQuiet(visited);
  });

  test("the flow is accessible as a graph and as a table, shows what runs, and Enter on a node opens its page", async () => {
    // Rates are of a minute: only a clock that stands keeps them, and other tests must not add to them.
    await using served = await startServed(manualClock(Date.UTC(2026, 0, 1)));
    const stage: Stage = { browser: get().browser, served };
    const { runtime } = served;
    const { source } = await runtime.deploy({ code, name: "posting" });
    const { id } = await runtime.createWebhook({ url: "https://shop.test/archive", name: "Archive" });
    await runtime.subscribe({ emitterId: source.id, listenerId: id });
    await runtime.autoSubscribe({ listenerId: id, eventName: "$errors" });
    await expectAccessible(stage, "/flow", "flow", (page) =>
      page.getByRole("link", { name: "New sources from now on" }).waitFor(),
    );
    await expectAccessible(stage, "/flow?view=table", "flow-table", (page) =>
      page.getByRole("row", { name: "New sources $errors Archive" }).waitFor(),
    );
    await using visited = await openSignedIn(stage, "/flow");
    const { page } = visited;
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("link", { name: /^posting source/ }).waitFor();
    await runtime.invoke(source.id, { event: { text: "more" } });
    await page.getByRole("link", { name: "posting source 1/min" }).waitFor();
    await page.getByRole("link", { name: /^Archive webhook.* 1\/min$/ }).press("Enter");
    await page.getByRole("heading", { name: "Archive" }).waitFor();
    expectQuiet(visited);
  });
});
