import { beforeAll, expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { startServed, type Served } from "./served.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn, type Stage } from "./stage.ts";

const code = (name: string): string =>
  component({
    name,
    run: `console.debug("began", event); console.log("<b>fetched</b>", { page: event.n });
      console.warn("near the limit"); if (event.fail) throw new TypeError("order " + event.n + " has no total");`,
  });

/** The logs of all sources. */
describeInBrowser((get) => {
  let orders = "";
  let payments = "";
  beforeAll(async () => {
    const { runtime } = get().served;
    orders = (await runtime.deploy({ code: code("Logged orders"), name: "logged orders" })).source.id;
    payments = (await runtime.deploy({ code: code("Logged payments"), name: "logged payments" })).source.id;
    await runtime.invoke(orders, { event: { n: 1 } });
    await runtime.invoke(payments, { event: { n: 2, fail: true } });
  });

  test("the page is accessible, in both colours and on a small screen, also with a record and without any", async () => {
    const failed = "TypeError: order 2 has no total";
    await expectAccessible(get(), "/logs?q=order%202", "logs", (page) =>
      page.getByRole("button", { name: failed }).waitFor(),
    );
    const [log] = (await get().served.runtime.newestEvents("$logs", { sourceId: payments, limit: 1 })).items;
    await expectAccessible(get(), `/logs?source=${payments}&log=${payments}%20${log?.id}`, "log", (page) =>
      page.getByRole("complementary", { name: "Log record" }).getByText(failed).waitFor(),
    );
    await using served: Served = await startServed();
    const stage: Stage = { browser: get().browser, served };
    await expectAccessible(stage, "/logs", "logs-empty", (page) => page.getByText("No logs yet").waitFor());
  });

  test("records of all sources come as they are logged, are held back, selected, and lead to their run", async () => {
    const { runtime } = get().served;
    await using visited = await openSignedIn(get(), "/logs");
    const { page } = visited;
    const rows = page.getByRole("table", { name: "Logs" });
    const textOf = (n: number) => rows.getByRole("button", { name: `<b>fetched</b> { page: ${n} }` });
    await textOf(1).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await runtime.invoke(orders, { event: { n: 3 } });
    await textOf(3).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await runtime.invoke(orders, { event: { n: 4 } });
    await page.getByRole("button", { name: "Show 3 new" }).click();
    await textOf(4).waitFor();
    await page.getByRole("button", { name: "Errors" }).click();
    await expect.poll(() => rows.getByText("near the limit").count()).toBe(0);
    await rows.getByText("order 2 has no total").waitFor();
    await page.getByRole("button", { name: "Warnings" }).click();
    await page.getByRole("combobox", { name: "Source" }).fill("logged orders");
    // The list has no rows while it loads, so that an empty one says nothing.
    await page.waitForURL((url) => url.hash.includes(`source=${orders}`));
    await expect.poll(() => rows.getByText("order 2 has no total").count()).toBe(0);
    await page.getByRole("button", { name: "Copy the command: x logs" }).click();
    const command = `x logs ${orders} --follow --level warn`;
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(command);
    await page.getByRole("combobox", { name: "Source" }).fill("");
    await page.getByRole("searchbox", { name: "Search logs" }).fill("ORDER total");
    await rows.getByRole("button", { name: "TypeError: order 2 has no total" }).click();
    const detail = page.getByRole("complementary", { name: "Log record" });
    await detail.getByText(/at run /).waitFor();
    await detail.getByRole("link", { name: "logged payments" }).waitFor();
    await detail.locator("a.mono").click();
    await page.getByRole("region", { name: "Error" }).getByText("order 2 has no total").first().waitFor();
    expectQuiet(visited);
  });
});
