import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { clicksIn, fromSources } from "./clicks.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectQuiet } from "./stage.ts";

/** Drops a file on a page, which is no click. */
const drop = (page: Page, name: string, text: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    const init = { dataTransfer, bubbles: true, cancelable: true };
    for (const type of ["dragover", "drop"]) document.querySelector("h1").dispatchEvent(new DragEvent(type, init));
  })()`);

/** How many clicks the logs of all sources, what fails in the flow, and a deploy are away from the list of sources. */
describeInBrowser((get) => {
  test("the errors that all sources log and what fails in the flow are one click away", async () => {
    const { runtime } = get().served;
    const failing = component({ name: "Logging", run: `throw new Error("planned " + 4711)` });
    const { source } = await runtime.deploy({ code: failing, name: "logging badly" });
    const { id } = await runtime.createWebhook({ url: "https://shop.test/x", name: "Listener" });
    await runtime.subscribe({ emitterId: source.id, listenerId: id });
    await runtime.invoke(source.id);
    await using logs = await fromSources(get);
    await logs.page.getByRole("navigation").getByRole("link", { name: "Errors", exact: true }).click();
    await logs.page.getByRole("button", { name: "Error: planned 4711" }).waitFor();
    expect(await clicksIn(logs.page)).toBe(1);
    expectQuiet(logs);
    await using flow = await fromSources(get);
    await flow.page.getByRole("link", { name: "Flow", exact: true }).click();
    await flow.page.getByRole("link", { name: "logging badly source, failing" }).waitFor();
    expect(await clicksIn(flow.page)).toBe(1);
    expectQuiet(flow);
  });

  test("a file that is dropped is deployed with two clicks", async () => {
    await using visited = await fromSources(get);
    const { page } = visited;
    await page.getByRole("link", { name: "Deploy", exact: true }).click();
    await page.getByText("Drop a file, or choose one").waitFor();
    await drop(page, "dropped-here.ts", component({ name: "Dropped here" }));
    await page.getByRole("region", { name: "Dropped here" }).waitFor();
    await page.getByRole("button", { name: "Deploy", exact: true }).click();
    await page.getByText("Dropped here is deployed").waitFor();
    await page.getByRole("heading", { name: "Dropped here" }).waitFor();
    expect(await clicksIn(page)).toBe(2);
    expectQuiet(visited);
  });
});
