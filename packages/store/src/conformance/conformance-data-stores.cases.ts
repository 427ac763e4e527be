import { expect, test } from "vitest";

import type { Change, Store } from "../contract.ts";
import type { GetStore } from "./given-store.cases.ts";
import { addEvent, exampleEvent, exampleSource, putSource } from "./examples.cases.ts";

const set = (name: string, key: string, value: string | undefined, at = 1_000, userId = "u_1"): Change => ({
  op: "data_store.set",
  userId,
  name,
  key,
  value,
  at,
});

const valuesIn = async (store: Store, name: string, userId = "u_1"): Promise<object> => {
  const values = await store.dataStoreValues(userId, name);
  return new Map(values.map(({ key, value }) => [key, value]));
};

/** Data stores, which the sources of a user share. */
export function describeDataStores(get: GetStore): void {
  test("S62 the keys of a data store are set, replaced and deleted one by one, each store of its user", async () => {
    const store = get();
    await store.commit([set("shop", "a", "1"), set("shop", "b", "2"), set("till", "a", "3")]);
    await store.commit([set("shop", "a", "4", 2_000.5), set("shop", "b", undefined), set("shop", "gone", undefined)]);
    await store.commit([set("shop", "a", "5", 1_000, "u_2")]);
    expect(await store.dataStoreValues("u_1", "shop")).toEqual([{ key: "a", value: "4", updatedAt: 2_000.5 }]);
    expect(await store.dataStoreValue("u_1", "shop", "a")).toBe("4");
    expect(await store.dataStoreValue("u_1", "till", "a")).toBe("3");
    expect(await store.dataStoreValue("u_2", "shop", "a")).toBe("5");
    expect(await store.dataStoreValue("u_1", "shop", "b")).toBeUndefined();
    expect(await store.dataStoreValue("u_1", "none", "a")).toBeUndefined();
    expect(await store.dataStoreValues("u_3", "shop")).toEqual([]);
  });

  test("S62 data stores are listed by name with their sizes, as long as they have keys", async () => {
    const store = get();
    await store.commit([set("till", "a", "1", 3), set("Shop", "\u00fc", '"\u00fc"', 5), set("Shop", "b", "22", 4)]);
    await store.commit([set("empty", "a", "1"), set("till", "a", "1", 1, "u_2")]);
    await store.commit([set("empty", "a", undefined)]);
    const shop = { name: "Shop", keys: 2, bytes: 2 + 4 + 1 + 2, updatedAt: 5 };
    expect(await store.dataStores("u_1")).toEqual([shop, { name: "till", keys: 1, bytes: 2, updatedAt: 3 }]);
    expect(await store.dataStores("u_1", "Shop")).toEqual([shop]);
    expect(await store.dataStores("u_1", "empty")).toEqual([]);
    expect(await store.dataStores("u_3")).toEqual([]);
  });

  test("S62 a data store is deleted with its keys, however many, and may be filled again in the same commit", async () => {
    const store = get();
    const many = Array.from({ length: 2_500 }, (_, n) => set("shop", `k${n}`, "1"));
    await store.commit([...many, set("till", "a", "1"), set("shop", "a", "1", 1, "u_2")]);
    await store.commit([{ op: "data_store.delete", userId: "u_1", name: "shop" }, set("shop", "new", "2")]);
    expect(await valuesIn(store, "shop")).toEqual(new Map([["new", "2"]]));
    await store.commit([set("shop", "late", "3"), { op: "data_store.delete", userId: "u_1", name: "shop" }]);
    expect(await store.dataStores("u_1")).toEqual([{ name: "till", keys: 1, bytes: 2, updatedAt: 1_000 }]);
    expect(await valuesIn(store, "shop", "u_2")).toEqual(new Map([["a", "1"]]));
  });

  test("S62 keys and values are kept character by character, whatever names they are", async () => {
    const store = get();
    const keys = ["__proto__", "constructor", "", " ", "a b", "a\nb", "\0", "\u{1F600}", "\ufdd0x", "a".repeat(512)];
    const value = '{"__proto__":"\u2028\u{1F600}\\u0000"}';
    await store.commit(keys.map((key) => set("shop", key, value)));
    expect(await valuesIn(store, "shop")).toEqual(new Map(keys.map((key) => [key, value])));
    for (const key of keys) expect(await store.dataStoreValue("u_1", "shop", key)).toBe(value);
    await store.commit(keys.map((key) => set("shop", key, undefined)));
    expect(await store.dataStores("u_1")).toEqual([]);
  });

  test("S62 of the writes of a key the last one counts, and a commit that is refused changes no data store", async () => {
    const store = get();
    await store.commit([
      set("shop", "a", "1"),
      set("shop", "a", undefined),
      set("shop", "a", "2"),
      set("shop", "b", "1"),
      set("shop", "b", undefined),
      addEvent(exampleEvent(2_000, 0)),
    ]);
    expect(await valuesIn(store, "shop")).toEqual(new Map([["a", "2"]]));
    const refused = [set("shop", "a", "3"), set("shop", "c", "1"), addEvent(exampleEvent(1_000, 0))];
    await expect(store.commit(refused)).rejects.toMatchObject({ code: "store_failed" });
    expect(await valuesIn(store, "shop")).toEqual(new Map([["a", "2"]]));
  });

  test("S62 deleting a source leaves the data stores of its user", async () => {
    const store = get();
    await store.commit([putSource(exampleSource("dc_1")), set("shop", "a", "1")]);
    await store.commit([{ op: "source.delete", id: "dc_1" }]);
    expect(await valuesIn(store, "shop")).toEqual(new Map([["a", "1"]]));
  });
}
