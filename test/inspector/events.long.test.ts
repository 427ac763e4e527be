import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { manualClock } from "@x/runtime";

import { answer, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { component } from "../conformance/fixture.ts";
import { shoot } from "./chromium.ts";
import { startServed } from "./served.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn, type Stage } from "./stage.ts";

const code = component({
  name: "Parcels",
  run: "this.$emit(event, { id: event.n, name: event.channel, summary: 'Parcel ' + event.n })",
});

/** What the field for a local time takes. */
function fieldText(at: number): string {
  const date = new Date(at);
  const local = new Date(at - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** The events of a source: found, delivered, exported and deleted. */
describeInBrowser((get) => {
  let id = "";
  beforeAll(async () => {
    const { runtime } = get().served;
    const receiver = await startReceiver();
    receiver.on("/archive", answer(200));
    receiver.on("/refusing", answer(503));
    const { source } = await runtime.deploy({ code, name: "parcels of the shop" });
    id = source.id;
    for (const [name, path] of [
      ["Depot", "/archive"],
      ["Warehouse of the north", "/refusing"],
    ] as const) {
      const { id: listenerId } = await runtime.createWebhook({ url: receiver.url + path, name });
      await runtime.subscribe({ emitterId: source.id, listenerId });
    }
    for (const event of [
      { n: 1, status: "open", address: { city: "Oslo" } },
      { n: 2, status: "closed", note: `${"x".repeat(2_000)} Needle` },
      { n: 3, status: "open", address: { city: "Rome" } },
      { n: 4, status: "back", channel: "returns" },
    ])
      await runtime.invoke(source.id, { event });
    await runtime.idle();
  });

  test("events show what became of them by the names of their listeners, also on a small screen", async () => {
    const isThere = async (page: Page): Promise<void> => {
      const row = page.getByRole("row", { name: /Parcel 3/ });
      await row.getByText("Depot", { exact: true }).waitFor();
      await row.getByText("Warehouse of the north", { exact: true }).waitFor();
      await row.getByText("pending", { exact: true }).waitFor();
    };
    await expectAccessible(get(), `/sources/${id}/events`, "events", isThere);
    for (const width of [1440, 390])
      for (const colours of ["light", "dark"] as const) {
        await using visited = await openSignedIn(get(), `/sources/${id}/events`, { width, height: 800, colours });
        await isThere(visited.page);
        await shoot(visited.page, `events-${width}-${colours}`);
        expectQuiet(visited);
      }
    const open = async (page: Page): Promise<void> => {
      await page.getByRole("button", { name: /^Parcel 3/ }).click();
      await page.getByRole("complementary", { name: "Event" }).getByText('"Rome"').waitFor();
    };
    await expectAccessible(get(), `/sources/${id}/events`, "events-detail", open);
    await using visited = await openSignedIn(get(), `/sources/${id}/events`);
    const { page } = visited;
    await open(page);
    await page.getByRole("complementary", { name: "Event" }).getByRole("link", { name: "Depot" }).click();
    await page.getByRole("heading", { name: "Depot" }).waitFor();
    expectQuiet(visited);
  });

  test("events are found by a value at a pointer and by a text, also large ones, and new ones come when they match", async () => {
    const { runtime } = get().served;
    await using visited = await openSignedIn(get(), `/sources/${id}/events`);
    const { page } = visited;
    const rows = (): Promise<string[]> => page.getByRole("button", { name: /^Parcel/ }).allTextContents();
    const found = async (...wanted: number[]): Promise<void> => {
      const names = wanted.map((n) => expect.stringContaining(`Parcel ${n} `));
      await expect.poll(rows).toEqual(names);
    };
    await found(4, 3, 2, 1);
    const search = page.getByRole("main").getByRole("searchbox");
    await search.fill("/status=open");
    await found(3, 1);
    await page.getByRole("status").getByText("2 events found").waitFor();
    expect(page.url()).toContain("q=%2Fstatus%3Dopen");
    await page.getByText("Live", { exact: true }).waitFor();
    await runtime.invoke(id, { event: { n: 5, status: "closed" } });
    await runtime.invoke(id, { event: { n: 6, status: "open" } });
    await found(6, 3, 1);
    await search.fill("/address/city=Rome");
    await found(3);
    await search.fill("NEEDLE");
    await found(2);
    await search.fill("/n=2");
    await found(2);
    await page.getByRole("button", { name: /^Parcel 2/ }).click();
    await page.getByRole("complementary", { name: "Event" }).getByText("Needle").waitFor();
    await search.fill("/n=nothing");
    await page.getByText("No event matches").waitFor();
    expectQuiet(visited);
  });

  test("all stored events are saved as NDJSON, oldest first, or those that are found", async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({ code, name: "exported" });
    for (const n of [1, 2, 3]) await runtime.invoke(source.id, { event: { n, text: "line\nline".repeat(200) } });
    await using visited = await openSignedIn(get(), `/sources/${source.id}/events`);
    const { page } = visited;
    const save = async (): Promise<unknown[]> => {
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export" }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe("exported-events.ndjson");
      const lines = (await readFile(await download.path(), "utf8")).split("\n");
      expect(lines.pop()).toBe("");
      return lines.map((line) => JSON.parse(line) as unknown);
    };
    await page.getByText("3 events", { exact: true }).waitFor();
    const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
    expect(await save()).toEqual(
      items.toReversed().map(({ id: eventId, indexedAt, payload, name, dedupeId, summary }) => ({
        id: eventId,
        ts: indexedAt,
        event: JSON.parse(payload) as unknown,
        metadata: { name, id: dedupeId, summary },
      })),
    );
    await page.getByRole("main").getByRole("searchbox").fill("/n=2");
    await page.getByText("1 event found").waitFor();
    expect(await save()).toEqual([expect.objectContaining({ event: expect.objectContaining({ n: 2 }) as unknown })]);
    expectQuiet(visited);
  });

  test("the events of a time range are deleted, after a preview of how many and which", async () => {
    const start = Date.UTC(2026, 0, 1);
    const hour = 3_600_000;
    const clock = manualClock(start);
    await using served = await startServed(clock);
    const stage: Stage = { browser: get().browser, served };
    const { runtime } = served;
    const { source } = await runtime.deploy({ code, name: "deleted from" });
    for (const n of [1, 2, 3, 4]) {
      await runtime.invoke(source.id, { event: { n } });
      await clock.advance(hour);
    }
    const stored = async (): Promise<(string | undefined)[]> =>
      (await runtime.storedEvents(source.id, "emits", { limit: 10 })).items.map(({ dedupeId }) => dedupeId);
    await using visited = await openSignedIn(stage, `/sources/${source.id}/events`);
    const { page } = visited;
    await page.getByRole("button", { name: "Delete events" }).click();
    const dialog = page.getByRole("dialog");
    const preview = dialog.getByRole("status");
    await preview.getByText("4 events of all channels will be deleted.").waitFor();
    await dialog.getByLabel("Stored from").fill(fieldText(start + 5 * hour));
    await preview.getByText("No event is in this range.").waitFor();
    expect(await dialog.getByRole("button", { name: "Delete", exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel("Stored from").fill(fieldText(start + hour));
    await dialog.getByLabel("Until").fill(fieldText(start + 2 * hour));
    await preview.getByText("2 events of all channels will be deleted.").waitFor();
    expect(await preview.getByRole("definition").allTextContents()).toEqual([
      expect.stringContaining("Parcel 2"),
      expect.stringContaining("Parcel 3"),
    ]);
    await shoot(page, "events-delete");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await stored()).toEqual(["4", "3", "2", "1"]);
    await page.getByRole("button", { name: "Delete events" }).click();
    await dialog.getByLabel("Stored from").fill(fieldText(start + hour));
    await dialog.getByLabel("Until").fill(fieldText(start + 2 * hour));
    await dialog.getByRole("button", { name: "Delete 2 events" }).click();
    await page.getByText("2 events deleted").waitFor();
    expect(await stored()).toEqual(["4", "1"]);
    await expect.poll(() => page.getByRole("table", { name: "Events" }).getAttribute("aria-rowcount")).toBe("3");
    expectQuiet(visited);
  });
});
