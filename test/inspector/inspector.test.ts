import { test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { describeInBrowser } from "./in-browser.ts";
import { visit } from "./chromium.ts";
import { expectQuiet } from "./stage.ts";

const code = component({
  name: "Orders",
  more: 'dedupe: "unique",',
  props: 'http: "$.interface.http", db: "$.service.db"',
  run: `this.db.set("last", event.body.id);
    this.$emit(event.body, { id: event.body.id, summary: "Order " + event.body.id });`,
});

describeInBrowser((get) => {
  test("from the link that signs in to a source, to its run of a request, to the test of that run", async () => {
    const { browser, served } = get();
    const { source } = await served.runtime.deploy({ code, name: "orders" });
    const post = (id: string): Promise<Response> =>
      fetch(source.endpoints["http"] ?? "", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id, total: 12 }),
      });
    await post("A-1");
    await served.runtime.idle();
    await using visited = await visit(browser, served.link());
    const { page } = visited;
    await page.getByRole("link", { name: "orders" }).first().click();
    await page.getByRole("link", { name: "Events", exact: true }).click();
    await page.getByRole("button", { name: /^Order A-1/ }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await post("A-2");
    await page.getByRole("button", { name: /^Order A-2/ }).waitFor();
    await post("A-2");
    await page.goto(`${served.url}/#/runs`);
    await page.getByRole("link", { name: "OK: Order A-2" }).first().click();
    await page.getByRole("region", { name: "Events" }).getByText("Order A-2").waitFor();
    await page.getByRole("region", { name: "Database" }).getByText("A-2").first().waitFor();
    await page.getByRole("button", { name: "Make a test" }).click();
    await page.getByLabel("The test").filter({ hasText: "Order A-2" }).waitFor();
    expectQuiet(visited);
  });
});
