import { beforeAll, expect, test } from "vitest";

import { component, sendRaw } from "../conformance/fixture.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn } from "./stage.ts";

const attack = `<img src=x onerror="alert(1)">`;

const code = component({
  name: "Orders",
  more: 'dedupe: "unique",',
  props: `http: { type: "$.interface.http", customResponse: true }, db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 3600 } }`,
  run: `
    if (event.fail) {
      const order = { lines: undefined };
      throw new TypeError("cannot read " + event.fail + order.lines.length);
    }
    if (event.body) this.db.set("last", { order: event.body.id });
    this.$emit(event.payload ?? { order: 1 }, { id: event.id ?? event.body?.id ?? event.timestamp, name: event.channel, summary: event.summary });
    if (event.method) this.http.respond({ status: 201, headers: { "x-order": "1" }, body: "made" });`,
});

/** The page of one source, tab by tab. */
describeInBrowser((get) => {
  let id = "";
  let endpoint = "";
  const run = (event: object): Promise<unknown> => get().served.runtime.invoke(id, { event: event as never });
  const open = (tab: string) => openSignedIn(get(), `/sources/${id}/${tab}`);

  beforeAll(async () => {
    const { source } = await get().served.runtime.deploy({ code, name: "orders" });
    id = source.id;
    endpoint = source.endpoints["http"] ?? "";
    await run({ id: "o-1", summary: "Order 1", payload: { order: 1, lines: [{ sku: "A", count: 2 }] } });
    await run({
      id: "o-2",
      summary: attack,
      payload: { html: attack, url: "javascript:alert(1)" },
      channel: "refunds",
    });
    await run({ id: "o-3", summary: "Large", payload: { text: "x".repeat(2_000) } });
    for (const fail of ["a", "b"]) await run({ fail: `${fail} <script>alert(1)</script> ` });
    await sendRaw(
      new URL(endpoint).origin,
      [
        `POST ${new URL(endpoint).pathname}/hook?a=1&b=%62 HTTP/1.1`,
        "Host: 127.0.0.1",
        "Connection: close",
        "Content-Type: application/json",
        `X-Attack: ${attack}`,
        "x-attack: 2",
        "Content-Length: 12",
        "",
        '{ "id": 7 }\n',
      ].join("\r\n"),
    );
  });

  test("a request is written and sent, its answer is shown, and it is sent once more from the history", async () => {
    await using visited = await open("overview");
    const { page } = visited;
    const endpointCard = page.getByRole("region", { name: "Endpoint" });
    await endpointCard.getByLabel("Path and query").fill("/hook?n=1");
    await endpointCard.getByLabel("Headers").fill("content-type: application/json\nx-kind: order");
    await endpointCard.locator(".cm-content").waitFor();
    await endpointCard.getByRole("textbox", { name: "Body" }).fill('{"id":"sent-1"}');
    await endpointCard.getByRole("button", { name: "Send event" }).click();
    await endpointCard.getByRole("paragraph").getByText("201", { exact: true }).waitFor();
    await endpointCard.getByRole("link", { name: "The run" }).click();
    await page.getByRole("region", { name: "Response" }).getByText("x-order").waitFor();
    await page.getByText("sent-1").first().waitFor();
    await page.goBack();
    const before = endpointCard.getByRole("combobox", { name: "Sent before" });
    await expect.poll(() => before.locator("option").count()).toBe(2);
    await before.selectOption({ index: 1 });
    await endpointCard.getByRole("button", { name: "Send event" }).click();
    await endpointCard.getByText("0 events, 1 dropped", { exact: false }).waitFor();
    expectQuiet(visited);
  });

  test("a tick of a chosen time is run", async () => {
    await using visited = await open("overview");
    const { page } = visited;
    const schedule = page.getByRole("region", { name: "Schedule" });
    await expect.poll(() => schedule.getByRole("row").count()).toBe(6);
    await schedule.getByLabel("Time of the tick").fill("2026-01-02T03:04:05");
    await schedule.getByRole("button", { name: "Run this tick" }).click();
    const seconds = new Date("2026-01-02T03:04:05").getTime() / 1_000;
    await page.getByRole("region", { name: "Event", exact: true }).getByText(String(seconds)).waitFor();
    expectQuiet(visited);
  });

  test("the overview is accessible", () =>
    expectAccessible(get(), `/sources/${id}`, "source-overview", (page) => page.getByText(endpoint).waitFor()));

  test("the overview shows what the events look like", async () => {
    await using visited = await open("overview");
    const { page } = visited;
    const events = page.getByRole("region", { name: "Events" });
    await events.getByText("lines[].sku").waitFor();
    expect(await events.textContent()).toContain("Inferred from the newest");
    await events.getByRole("button", { name: "Copy as JSON Schema" }).click();
    await page.getByText("Copied").waitFor();
    expect(JSON.parse(await page.evaluate<string>("navigator.clipboard.readText()"))).toMatchObject({ type: "object" });
    expectQuiet(visited);
  });

  test("the overview shows the endpoint and copies it as curl", async () => {
    await using visited = await open("overview");
    const { page } = visited;
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(`curl -X POST -H 'content-type: application/json' -d '{}' '${endpoint}'`);
    expectQuiet(visited);
  });

  test("events are accessible, and are text", () =>
    expectAccessible(get(), `/sources/${id}/events`, "source-events", async (page) => {
      await page.getByRole("button", { name: attack }).waitFor();
      await page.getByText("Live").waitFor();
    }));

  test("an event is shown with its payload, channel and dedupe id; a large one is loaded", async () => {
    await using visited = await open("events");
    const { page } = visited;
    await page.getByRole("button", { name: attack }).click();
    const detail = page.getByRole("complementary", { name: "Event" });
    await detail.getByText('"javascript:alert(1)"').waitFor();
    expect(await detail.textContent()).toContain("o-2");
    await page.getByRole("combobox", { name: "Channel" }).selectOption("refunds");
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
    await page.getByRole("combobox", { name: "Channel" }).selectOption({ label: "All channels" });
    await page.getByRole("button", { name: /^Large/ }).click();
    await detail.getByText("x".repeat(100)).waitFor();
    expectQuiet(visited);
  });

  test("an event appears when it is emitted, also on another channel", async () => {
    await using visited = await open("events");
    const { page } = visited;
    await page.getByText("Live", { exact: true }).waitFor();
    await run({ id: "o-live", summary: "Came by itself", channel: "live" });
    await page.getByRole("button", { name: /^Came by itself/ }).waitFor();
    expectQuiet(visited);
  });

  test("errors are accessible, and grouped with the author's lines", () =>
    expectAccessible(get(), `/sources/${id}/errors`, "source-errors", async (page) => {
      await page.getByText(/^component\.js:\d+:\d+$/).waitFor();
      await page.locator(".frame .line.at", { hasText: "order.lines.length" }).waitFor();
    }));

  test("requests are accessible, and shown as they were received", async () => {
    await expectAccessible(get(), `/sources/${id}/requests`, "source-requests", async (page) => {
      await page.getByRole("table", { name: "Requests" }).getByRole("button").first().click();
      await page.locator("pre.raw").waitFor();
    });
    await using visited = await open("requests");
    const { page } = visited;
    await page.getByRole("table", { name: "Requests" }).getByRole("button").first().click();
    const raw = page.getByRole("complementary", { name: "Request" }).locator("pre.raw").first();
    await raw.waitFor();
    const text = await raw.textContent();
    const target = `${new URL(endpoint).pathname}/hook?a=1&b=%62`;
    expect(text?.startsWith(`POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n`)).toBe(true);
    expect(text).toContain(`\r\nX-Attack: ${attack}\r\nx-attack: 2\r\n`);
    expect(text?.endsWith('\r\n\r\n{ "id": 7 }\n')).toBe(true);
    await page.getByRole("link", { name: "The run" }).click();
    const request = page.getByRole("region", { name: "Event" }).getByRole("region", { name: "Request" });
    await request.getByRole("button", { name: "Copy" }).click();
    await request.getByText("Copied").waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(text);
    expect(await request.locator("pre.raw").textContent()).toBe(text);
    expectQuiet(visited);
  });

  test("requests show what was sent and what became of them; one is copied as curl, sent again, and edited", async () => {
    await using visited = await open("requests");
    const { page } = visited;
    const row = page.getByRole("row", { name: /POST \/hook\?a=1&b=%62/ });
    await row.getByText("201", { exact: true }).waitFor();
    await page.getByRole("button", { name: "4xx" }).click();
    await page.getByText("No request matches").waitFor();
    await page.getByRole("button", { name: "2xx" }).click();
    await row.getByText("201", { exact: true }).click();
    const detail = page.getByRole("complementary", { name: "Request" });
    await detail.getByRole("button", { name: "Copy as curl" }).click();
    await detail.getByText("Copied").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toContain("curl -X POST -H 'Content-Type: application/json'");
    expect(copied).toContain(`--data-raw '{ "id": 7 }\n' '${endpoint}/hook?a=1&b=%62'`);
    await detail.getByRole("button", { name: "Edit and send" }).click();
    await page.getByRole("dialog").locator(".cm-content").waitFor();
    await page.getByRole("dialog").getByRole("textbox", { name: "Body" }).fill('{"id":"edited-7"}');
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    await page.getByRole("region", { name: "Database" }).getByText("edited-7").first().waitFor();
    await page.goBack();
    await detail.getByRole("button", { name: "Send again" }).click();
    await page.getByText("Request, replayed").waitFor();
    expectQuiet(visited);
  });

  test("the run of a request is accessible, with the request", async () => {
    const { items } = await get().served.runtime.storedExecutions(id, { limit: 100 });
    // The oldest one came to the endpoint; what was sent from the page has no bytes that were received.
    const run = items.findLast(({ type }) => type === "HTTP")?.id;
    await expectAccessible(get(), `/runs/${run}`, "run-request", (page) => page.locator("pre.raw").waitFor());
  });

  test("the database is accessible; a value is edited, one is added, and one is deleted", async () => {
    await expectAccessible(get(), `/sources/${id}/database`, "source-database", (page) =>
      page.getByText('{"order":7}').waitFor(),
    );
    const { runtime } = get().served;
    await using visited = await open("database");
    const { page } = visited;
    await page.getByRole("button", { name: "Edit last" }).click();
    const editor = page.getByRole("dialog").getByRole("textbox", { name: "Value as JSON" });
    await page.getByRole("dialog").locator(".cm-content").waitFor();
    await editor.fill('{"order": 8');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await editor.fill('{"order": 8}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText('{"order":8}').waitFor();
    expect(await (await runtime.db(id)).get("last")).toEqual({ order: 8 });
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Key", exact: true }).fill("a/b c");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("a/b c", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete a/b c" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(async () => (await runtime.dbEntries(id)).map(({ key }) => key)).toEqual(["last"]);
    expectQuiet(visited);
  });

  test("the dedupe state is reset", async () => {
    const { runtime } = get().served;
    const deduped = async (): Promise<unknown> => {
      const execution = await runtime.invoke(id, { event: { id: "o-1" } });
      return execution.status === "queued" ? undefined : execution.deduped;
    };
    expect(await deduped()).toBe(1);
    await using visited = await open("database");
    const { page } = visited;
    await page.getByRole("button", { name: "Reset dedupe state" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
    await page.getByText("The dedupe state is reset").waitFor();
    expect(await deduped()).toBe(0);
    expectQuiet(visited);
  });

  test("what belongs to another user does not exist", async () => {
    const { runtime } = get().served;
    const other = await runtime.addUser({ username: "other" });
    const { source } = await runtime.as(other.id).deploy({ code, name: "theirs" });
    await using visited = await openSignedIn(get(), `/sources/${source.id}`);
    await visited.page.getByRole("alert").getByText(source.id).waitFor();
    await visited.page.goto(`${get().served.url}/#/sources?q=theirs`);
    await visited.page.getByText("No source matches").waitFor();
    expectQuiet(visited);
  });
});
