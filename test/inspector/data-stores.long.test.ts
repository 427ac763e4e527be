import { beforeAll, expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { startServed, type Served } from "./served.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn, type Stage } from "./stage.ts";

const attack = `<img src=x onerror="alert(1)">`;
const long = `a-very-long-name-of-a-data-store.${"x".repeat(31)}`;
const code = component({
  name: "Counting",
  props: 'orders: { type: "data_store" }, http: "$.interface.http"',
  run: `await this.orders.set("last", event.n); this.$emit(await this.orders.get(${JSON.stringify(attack)}))`,
});

/** Data stores and their entries. */
describeInBrowser((get) => {
  let source = "";
  beforeAll(async () => {
    const { runtime } = get().served;
    source = (await runtime.deploy({ code, name: "counting", props: { orders: "orders" } })).source.id;
    await runtime.writeDataStore("orders", [
      [attack, { html: attack }],
      ["customer-1", { name: "Ann", notes: "n".repeat(400) }],
    ]);
    await runtime.writeDataStore(long, [["k".repeat(512), 1]]);
    await runtime.invoke(source, { event: { n: 1 } });
  });

  test("data stores and entries are accessible, in both colours and on a small screen, and so are empty ones", async () => {
    await expectAccessible(get(), "/data-stores", "data-stores", (page) =>
      page.getByRole("link", { name: "orders", exact: true }).waitFor(),
    );
    await expectAccessible(get(), "/data-stores/orders", "data-store", (page) =>
      page.getByText("customer-1", { exact: true }).waitFor(),
    );
    await expectAccessible(get(), `/data-stores/${long}`, "data-store-long", (page) =>
      page.getByText("kkkkkkkk").waitFor(),
    );
    await expectAccessible(get(), "/data-stores/none", "data-store-empty", (page) =>
      page.getByText("The data store is empty").waitFor(),
    );
    await using served: Served = await startServed();
    const stage: Stage = { browser: get().browser, served };
    await expectAccessible(stage, "/data-stores", "data-stores-empty", (page) =>
      page.getByText("No data stores yet").waitFor(),
    );
  });

  test("a value is found, edited, added and deleted, and the next run reads it", async () => {
    const { runtime } = get().served;
    const keys = async (): Promise<string[]> => (await runtime.dataStoreEntries("orders")).map(({ key }) => key);
    await using visited = await openSignedIn(get(), "/data-stores");
    const { page } = visited;
    await page.getByRole("row", { name: /^orders 3/ }).waitFor();
    await page.getByRole("link", { name: "orders", exact: true }).click();
    await page.getByText("3 keys").waitFor();
    await page.getByRole("searchbox", { name: "Search keys" }).fill("IMG");
    await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
    await page.getByRole("button", { name: `Edit ${attack}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".cm-content").waitFor();
    await dialog.getByRole("textbox", { name: "Value as JSON" }).fill('"edited"');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText('"edited"', { exact: true }).waitFor();
    await runtime.invoke(source, { event: { n: 2 } });
    expect((await runtime.newestEvents("emits", { sourceId: source, limit: 1 })).items[0]?.payload).toBe('"edited"');
    await page.getByRole("searchbox", { name: "Search keys" }).fill("");
    await page.getByRole("button", { name: "New key" }).click();
    await dialog.getByRole("textbox", { name: "Key", exact: true }).fill("a/b c");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("4 keys").waitFor();
    expect(await keys()).toContain("a/b c");
    await page.getByRole("button", { name: "Delete a/b c" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("3 keys").waitFor();
    expect(await keys()).not.toContain("a/b c");
    expectQuiet(visited);
  });

  test("a data store is made with its first key, is gone with its last one, and is deleted as a whole", async () => {
    const { runtime } = get().served;
    const names = async (): Promise<string[]> => (await runtime.dataStores()).map(({ name }) => name);
    await using visited = await openSignedIn(get(), "/data-stores/made-here");
    const { page } = visited;
    const add = async (): Promise<void> => {
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("dialog").getByRole("textbox", { name: "Key", exact: true }).fill("first");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("1 key", { exact: true }).waitFor();
    };
    await page.getByText("The data store is empty").waitFor();
    await add();
    expect(await names()).toContain("made-here");
    await page.getByRole("button", { name: "Delete first" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("The data store is empty").waitFor();
    await add();
    await page.getByRole("button", { name: "Delete data store" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "orders", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "made-here" }).count()).toBe(0);
    expect(await names()).not.toContain("made-here");
    expectQuiet(visited);
  });

  test("a key that is no part of a URL is not edited or deleted, and nothing else is", async () => {
    const { runtime } = get().served;
    await runtime.writeDataStore("dots", [
      ["..", 1],
      [".", 2],
    ]);
    await using visited = await openSignedIn(get(), "/data-stores/dots");
    const { page } = visited;
    const dialog = page.getByRole("dialog");
    for (const key of ["..", "."]) {
      await page.getByRole("button", { name: `Delete ${key}`, exact: true }).click();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText(`"${key}" cannot be part of a URL path`).waitFor();
    }
    await page.getByRole("button", { name: "Edit ..", exact: true }).click();
    await dialog.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByText('".." cannot be part of a URL path').count()).toBe(2);
    expect((await runtime.dataStoreEntries("dots")).map(({ key }) => key).toSorted()).toEqual([".", ".."]);
    expectQuiet(visited);
  });

  test("a list that is scrolled to its end while it is read goes on", async () => {
    const keys = Array.from({ length: 250 }, (_, n) => `key ${String(n).padStart(3, "0")}`);
    await get().served.runtime.writeDataStore(
      "many",
      keys.map((key, n) => [key, n]),
    );
    await using visited = await openSignedIn(get(), "/data-stores/many");
    const { page } = visited;
    await page.getByText("250 keys").waitFor();
    const asked = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    const reload = (url: URL): boolean => url.pathname.endsWith("/values") && !url.searchParams.has("after");
    await page.route(reload, async (route) => {
      asked.resolve(undefined);
      await held.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Reload" }).click();
    await asked.promise;
    await page.locator(".table-scroll").evaluate((element) => (element.scrollTop = element.scrollHeight));
    await page.getByText("key 099", { exact: true }).waitFor();
    const height = (): Promise<number> => page.locator(".table-space").evaluate(({ clientHeight }) => clientHeight);
    expect(await height()).toBe(100 * 40);
    held.resolve(undefined);
    await expect.poll(height).toBe(200 * 40);
    expectQuiet(visited);
  });
});
