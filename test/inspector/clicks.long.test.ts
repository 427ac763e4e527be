import { expect, test } from "vitest";

import { answer, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { component } from "../conformance/fixture.ts";
import { clicksIn, fromSources } from "./clicks.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectQuiet } from "./stage.ts";

/** How many clicks answers are away from the list of sources. */
describeInBrowser((get) => {
  test("all dead letters are sent again with two clicks", async () => {
    const { runtime } = get().served;
    const receiver = await startReceiver();
    receiver.on("/", answer(410));
    const { source } = await runtime.deploy({ code: component({ name: "Dying", run: "this.$emit(1)" }) });
    const { id } = await runtime.createWebhook({ url: receiver.url, name: "Two clicks" });
    await runtime.subscribe({ emitterId: source.id, listenerId: id });
    await runtime.invoke(source.id);
    await runtime.idle();
    await runtime.updateWebhook(id, { active: true });
    receiver.on("/", answer(200));
    await using visited = await fromSources(get);
    const { page } = visited;
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page
      .getByRole("row", { name: /^Two clicks/ })
      .getByRole("button", { name: "Redeliver 1 dead" })
      .click();
    await page.getByText("1 delivery to Two clicks sent again, and all of them were delivered").waitFor();
    expect(await clicksIn(page)).toBe(2);
    expectQuiet(visited);
  });

  test("failed runs are replayed with three clicks", async () => {
    const { runtime } = get().served;
    const code = (run: string): string => component({ name: "Mended later", run });
    const { source } = await runtime.deploy({ code: code(`throw new Error("planned-replay " + event.n)`) });
    for (const n of [1, 2, 3]) await runtime.invoke(source.id, { event: { n } });
    await runtime.update(source.id, { code: code("this.$emit(event.n)") });
    await using visited = await fromSources(get);
    const { page } = visited;
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByLabel("Search runs").fill("planned-replay");
    await page.getByRole("link", { name: "Error: planned-replay 3" }).waitFor();
    await page.getByRole("button", { name: "Replay failed" }).click();
    await page.getByRole("button", { name: "Replay 3 runs" }).click();
    await page.getByText("3 runs replayed, and all of them succeeded").waitFor();
    expect(await clicksIn(page)).toBe(3);
    const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
    expect(items.map(({ payload }) => payload).toReversed()).toEqual(["1", "2", "3"]);
    // A hook and runs that succeeded are not replayed: another time, the same three.
    await page.getByRole("button", { name: "Replay failed" }).click();
    await page.getByRole("button", { name: "Replay 3 runs" }).waitFor();
    expectQuiet(visited);
  });

  test("why an event was dropped is two clicks away, and so is a test of the run", async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({
      code: component({
        name: "Dropping",
        more: 'dedupe: "unique",',
        run: "for (const id of event.ids) this.$emit({ order: id }, { id, summary: id })",
      }),
    });
    await runtime.invoke(source.id, { event: { ids: ["K-4711"] } });
    await runtime.invoke(source.id, { event: { ids: ["K-4711", "K-4712", "K-4712"] } });
    for (const [button, about] of [
      ["", 'An earlier run emitted the id "K-4711".'],
      ["Make a test", "K-4712"],
    ] as const) {
      await using visited = await fromSources(get);
      const { page } = visited;
      await page.getByRole("link", { name: "Runs", exact: true }).click();
      await page.getByRole("table", { name: "Runs" }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("k-4712");
      await expect.poll(() => page.getByRole("table", { name: "Runs" }).getAttribute("aria-rowcount")).toBe("2");
      const row = page.getByRole("row", { name: /K-4712/ });
      if (button === "") await row.getByText("2 dropped").click();
      else await row.getByRole("button", { name: button }).click();
      await page.getByText(about).first().waitFor();
      expect(await clicksIn(page)).toBe(2);
      expectQuiet(visited);
    }
  });

  test("the run of an order number is found without a click, and one of several with one", async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({
      name: "Order taker",
      code: component({
        name: "Order taker",
        run: "this.$emit({ order: event.id }, { summary: 'Order ' + event.id })",
      }),
    });
    for (const id of ["M-5711", "M-5712", "M-5713"]) await runtime.invoke(source.id, { event: { id } });
    await using visited = await fromSources(get);
    const { page } = visited;
    const find = async (text: string): Promise<void> => {
      await page.keyboard.press("f");
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
    };
    await find("m-5712");
    await page.getByRole("heading", { name: "Order M-5712" }).waitFor();
    await find("order taker");
    await page.getByRole("heading", { name: "Order taker" }).waitFor();
    await find("M-0000");
    await page.getByText("No source or run with “M-0000” was found").waitFor();
    await page.getByRole("searchbox", { name: "Find a source or a run" }).fill("M-571");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("table", { name: "Runs" }).getAttribute("aria-rowcount")).toBe("4");
    expect(await clicksIn(page)).toBe(0);
    await page.getByText("Order M-5713").click();
    await page.getByRole("heading", { name: "Order M-5713" }).waitFor();
    expect(await clicksIn(page)).toBe(1);
    expectQuiet(visited);
  });

  test("the event of a run is edited and replayed with three clicks", async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({
      code: component({ name: "Replaying", run: "this.$emit(event, { summary: 'Edited ' + event.n })" }),
    });
    await runtime.invoke(source.id, { event: { n: 1 } });
    await using visited = await fromSources(get);
    const { page } = visited;
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page
      .getByRole("row", { name: /Edited 1/ })
      .getByRole("button", { name: "Edit and replay" })
      .click();
    await page.locator(".editor:not([hidden])").waitFor();
    await page.getByRole("textbox", { name: "Event" }).focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText('{"n":"twice"}');
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    await page.getByRole("heading", { name: "Edited twice" }).waitFor();
    expect(await clicksIn(page)).toBe(3);
    expectQuiet(visited);
  });

  test("a signed event is sent with one click", async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({
      name: "Signed",
      code: component({
        name: "Signed",
        props: 'http: { type: "$.interface.http", customResponse: true }',
        run: `const { createHmac } = await import("node:crypto");
          const wanted = "sha256=" + createHmac("sha256", "s3cret").update(event.bodyRaw).digest("hex");
          const status = event.headers["x-hub-signature-256"] === wanted ? 202 : 401;
          this.http.respond({ status, body: "" });`,
      }),
    });
    const headers = { "content-type": "application/json", "x-hub-signature-256": "sha256=of another body" };
    const before = await fetch(source.endpoints["http"] ?? "", { method: "POST", headers, body: '{"id":1}' });
    expect(before.status).toBe(401);
    await runtime.idle();
    await using visited = await fromSources(get);
    const { page } = visited;
    await page.getByRole("button", { name: "Send an event to Signed" }).click();
    const dialog = page.getByRole("dialog", { name: "Send an event to Signed" });
    await dialog.getByLabel("Secret").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("s3cret");
    await page.keyboard.press("Enter");
    await dialog.getByRole("paragraph").getByText("202", { exact: true }).waitFor();
    expect(await clicksIn(page)).toBe(1);
    expectQuiet(visited);
  });

  test("a prop is mended with two clicks, and the next tick is seen with none", async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({
      name: "Mended",
      code: component({
        name: "Mended",
        props: 'word: "string", timer: { type: "$.interface.timer", default: { intervalSeconds: 3600 } }',
      }),
      props: { word: "wrogn" },
    });
    await using visited = await fromSources(get);
    const { page } = visited;
    await page
      .getByRole("row", { name: /^Mended/ })
      .getByText(/^in (?:1 h|59 min)$/)
      .waitFor();
    expect(await clicksIn(page)).toBe(0);
    await page.getByRole("link", { name: "Mended", exact: true }).click();
    const props = page.getByRole("region", { name: "Props" });
    await props.getByLabel("word").fill("right");
    await props.getByRole("button", { name: "Save and update" }).click();
    await page.getByText("Mended is updated").waitFor();
    expect((await runtime.source(source.id)).configuredProps).toMatchObject({ word: "right" });
    expect(await clicksIn(page)).toBe(2);
    expectQuiet(visited);
  });
});
