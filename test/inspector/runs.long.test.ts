import { beforeAll, expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn } from "./stage.ts";

const attack = `<img src=x onerror="alert(1)">`;

const shop = `export default {
  name: "Shop orders", version: "1.2.0", dedupe: "unique",
  props: { token: { type: "string", secret: true }, db: "$.service.db", buyers: { type: "data_store", default: "buyers-of-the-shop" } },
  async run({ page }) {
    console.log("Reading page", page);
    const answer = await fetch("https://shop.test/orders?page=" + page, {
      headers: { authorization: "Bearer " + this.token, "x-attack": ${JSON.stringify(attack)} },
    });
    const { items } = await answer.json();
    const rates = await (await fetch("https://bank.test/rates")).json();
    const gone = await fetch("https://shop.test/gone", { method: "POST", body: JSON.stringify({ attack: ${JSON.stringify(attack)} }) });
    if (!gone.ok) console.warn("Nothing there", { status: gone.status, text: ${JSON.stringify(attack)} });
    for (const item of items) this.$emit({ ...item, usd: item.total * rates.USD }, { id: item.id, summary: "Order " + item.id + " of " + item.buyer });
    this.$emit({ page }, { id: "page-" + page, name: "pages", summary: ${JSON.stringify(attack)} });
    this.db.set("cursor", { page, seen: items.map(({ id }) => id), rates });
    this.db.set("runs", (this.db.get("runs") ?? 0) + 1);
    await this.buyers.set(${JSON.stringify(attack)}, { page, names: items.map(({ buyer }) => buyer) });
    await this.buyers.set("page " + page, { seen: true });
    if (page > 1) this.db.delete("first");
    else this.db.set("first", true);
  },
};`;

const broken = `export default {
  name: "Broken import", version: "1.0.0",
  props: { db: "$.service.db" },
  run(event) {
    this.db.set("tried", event.id);
    const order = event.orders[event.id];
    const total = order.lines.reduce((sum, line) => sum + line.price, 0);
    this.$emit({ total });
  },
};`;

const answering = `export default {
  name: "Answering", version: "1.0.0",
  props: { http: { type: "$.interface.http", customResponse: true } },
  run({ body }) {
    this.$emit(body, { summary: "Got " + body.text });
    this.http.respond({ status: 201, headers: { "x-kind": "order" }, body: { text: body.text } });
  },
};`;

/** Runs: the list, and one of them with everything that it did. */
describeInBrowser((get) => {
  let ok = "";
  let failed = "";
  let answered = "";
  let shopId = "";
  beforeAll(async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({ code: shop, props: { token: "secret-token-1" } });
    shopId = source.id;
    const listener = await runtime.deploy({ code: `export default { name: "Listener", version: "1", run() {} };` });
    await runtime.subscribe({ emitterId: source.id, listenerId: listener.source.id });
    await runtime.invoke(source.id, { event: { page: 1 } });
    ok = (await runtime.invoke(source.id, { event: { page: 2 } })).executionId;
    const import_ = await runtime.deploy({ code: broken });
    failed = (await runtime.invoke(import_.source.id, { event: { id: "A-7", orders: { "A-7": {} } } })).executionId;
    const http = await runtime.deploy({ code: answering });
    const event = { method: "POST", path: "/", headers: {}, query: {}, body: { text: attack } };
    answered = (await runtime.invoke(http.source.id, { event, httpProp: "http" })).executionId;
    await runtime.idle();
  });

  test("the list is accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), "/runs", "runs", (page) => page.getByRole("row").nth(4).waitFor()));

  test("a run is accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), `/runs/${ok}`, "run", (page) => page.getByRole("heading", { name: "Timeline" }).waitFor()));

  test("a failed run is accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), `/runs/${failed}`, "run-failed", (page) => page.getByLabel("Code").waitFor()));

  test("the list shows runs as they end, and can show only failed ones", async () => {
    const { served } = get();
    await using visited = await openSignedIn(get(), `/runs`);
    const { page } = visited;
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("link", { name: `OK: Got ${attack}` }).waitFor();
    const { source } = await served.runtime.deploy({
      code: `export default { name: "Follower", version: "1", run() { this.$emit(1, { summary: "Came while the list was open" }); } };`,
    });
    await served.runtime.invoke(source.id);
    await page.getByRole("link", { name: "OK: Came while the list was open" }).waitFor();
    await page.getByRole("button", { name: "Failed", exact: true }).click();
    await page.getByRole("link", { name: /reading 'reduce'/ }).waitFor();
    expect(await page.getByRole("link", { name: "OK: Came while the list was open" }).count()).toBe(0);
    await page.getByRole("link", { name: /reading 'reduce'/ }).click();
    await page.getByRole("heading", { name: "broken-import" }).waitFor();
    expectQuiet(visited);
  });

  test("a run has its requests, events with listeners and drops with reasons, logs and db changes, all as text", async () => {
    await using visited = await openSignedIn(get(), `/runs/${ok}`);
    const { page } = visited;
    await page.getByRole("heading", { name: attack }).waitFor();
    await page.getByText('An earlier run emitted the id "A-1".').waitFor();
    await page.getByRole("button", { name: /GET shop\.test\/orders\?page=2/ }).click();
    await page.getByRole("region", { name: "Answer 200" }).getByText("Grace").waitFor();
    await page.getByRole("button", { name: /POST shop\.test\/gone/ }).click();
    await page.getByText("Nothing there").waitFor();
    await page.getByRole("region", { name: "Database" }).getByText("deleted").waitFor();
    await page.getByRole("region", { name: "Database" }).getByText('"page": 2').waitFor();
    const stores = page.getByRole("region", { name: "Data stores" });
    await stores.getByText("page 2", { exact: true }).waitFor();
    await stores.getByText("changed", { exact: true }).waitFor();
    await stores.getByText('"Grace"').first().waitFor();
    expect(await page.locator("main").innerText()).not.toContain("secret-token-1");
    await stores.getByRole("link", { name: "buyers-of-the-shop" }).first().click();
    await page.getByRole("button", { name: `Edit ${attack}` }).waitFor();
    expectQuiet(visited);
  });

  test("the id of a run is copied, long values are folded, and drops are grouped by their reason", async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({
      code: component({
        name: "Folding",
        more: 'dedupe: "unique",',
        run: `console.log(event); for (const _ of "123456") this.$emit({ lines: event.lines }, { id: "same" });`,
      }),
    });
    const lines = Array.from({ length: 60 }, (_, line) => `line ${line}`);
    const { executionId } = await runtime.invoke(source.id, { event: { lines } });
    await using visited = await openSignedIn(get(), `/runs/${executionId}`);
    const { page } = visited;
    await page.getByRole("button", { name: "Copy the id" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(executionId);
    const received = page.getByRole("region", { name: "Event", exact: true });
    await received.getByText("line 0", { exact: false }).first().waitFor();
    await received.getByRole("button", { name: "Show all" }).click();
    await received.getByRole("button", { name: "Show all" }).waitFor({ state: "detached" });
    const drops = page.getByRole("region", { name: "Events" }).getByText("5 dropped", { exact: true });
    await drops.click();
    await page.getByText('This run emitted the id "same" before.').first().waitFor();
    expectQuiet(visited);
  });

  test("runs are found by a text in their record, and by what restricts the list", async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({ code: component({ name: "Sought", run: "console.log(event.order)" }) });
    await runtime.invoke(source.id, { event: { order: "Z-90210" } });
    await using visited = await openSignedIn(get(), "/runs");
    const { page } = visited;
    await page.getByRole("table", { name: "Runs" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("z-90210");
    const table = page.getByRole("table", { name: "Runs" });
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("2");
    await runtime.invoke(source.id, { event: { order: "Z-90210" } });
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("3");
    await page.getByRole("combobox", { name: "Events" }).selectOption("emitted");
    await page.getByText("No such runs").waitFor();
    await page.getByRole("combobox", { name: "Events" }).selectOption("none");
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("manual");
    await page.getByRole("combobox", { name: "Source" }).fill("Shop orders");
    await page.getByRole("combobox", { name: "Source" }).fill("");
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("3");
    expectQuiet(visited);
  });

  test("a source with a common name is chosen among many newer ones that have it in theirs", async () => {
    const { runtime } = get().served;
    const code = component({ name: "Common", run: "this.$emit(1)" });
    const { source } = await runtime.deploy({ code, name: "common" });
    await runtime.invoke(source.id);
    for (let n = 0; n < 30; n++) await runtime.deploy({ code, name: `common ${n}` });
    await using visited = await openSignedIn(get(), "/runs");
    const { page } = visited;
    await page.getByRole("combobox", { name: "Source" }).fill("common");
    await expect.poll(() => page.url()).toContain(source.id);
    expectQuiet(visited);
  });

  test("a failed run shows the lines where it was thrown", async () => {
    await using visited = await openSignedIn(get(), `/runs/${failed}`);
    const { page } = visited;
    await page.getByLabel("Code").getByText("order.lines.reduce").waitFor();
    await page.getByText("Stack").click();
    expectQuiet(visited);
  });

  test("a run is replayed, also with another event", async () => {
    await using visited = await openSignedIn(get(), `/runs/${failed}`);
    const { page } = visited;
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page.getByText("Replayed, and it failed").waitFor();
    await page.getByText("By hand, replayed").waitFor();
    await page.getByRole("link", { name: "the first run" }).click();
    await page.getByRole("button", { name: "Edit and replay" }).click();
    await page.locator(".editor:not([hidden])").waitFor();
    const editor = page.getByRole("textbox", { name: "Event" });
    await editor.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText('{"id":"B-1","orders":{"B-1":{"lines":[{"price":5},{"price":7}]}}}');
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    await page.getByText("Replayed", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Events" }).getByText("12").waitFor();
    expectQuiet(visited);
  });

  test("a response is shown, and a test is made out of the run", async () => {
    await using visited = await openSignedIn(get(), `/runs/${answered}`);
    const { page } = visited;
    await page.getByRole("region", { name: "Response" }).getByText("x-kind").waitFor();
    await page.getByRole("button", { name: "Make a test" }).click();
    await page.getByLabel("The test").filter({ hasText: "toHaveRespondedWith(201" }).waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Save answering\.test\.js$/ }).click();
    expect((await downloading).suggestedFilename()).toBe("answering.test.js");
    await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(
      'import { source } from "@x/testing/vitest"',
    );
    expectQuiet(visited);
  });

  test("the runs of another user do not exist", async () => {
    const { served } = get();
    const user = await served.runtime.addUser({ username: "reader-of-runs" });
    await using visited = await openSignedIn(get(), "/runs", {}, user.apiKey);
    const { page } = visited;
    await page.getByText("No runs yet").waitFor();
    await page.goto(`${served.url}/#/runs/${ok}`);
    await page.getByText(new RegExp(`execution.*${ok}`)).waitFor();
    await served.runtime.invoke(shopId, { event: { page: 3 } });
    expect(await page.locator("main").innerText()).not.toContain("Order A-");
    expect(visited.problems).toEqual([]);
  });
});
