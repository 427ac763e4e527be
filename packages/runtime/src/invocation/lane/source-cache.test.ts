import { beforeEach, describe, expect, it } from "vitest";

import { createSourceCache, type SourceCache } from "./source-cache.ts";
import { exampleComponent, exampleSource } from "../../../../store/src/conformance/examples.cases.ts";
import type { Store } from "../../../../store/src/contract.ts";
import { createMemoryStore } from "../../../../store/src/memory/memory.ts";

const component = exampleComponent("sc_1");
const source = exampleSource("dc_1", { componentId: component.id });
let held: PromiseWithResolvers<void>;
let store: Store;
let sourceCache: SourceCache;

/** A store whose reads of a db end when the test lets them, with the values of their start. */
beforeEach(async () => {
  const memory = createMemoryStore();
  held = Promise.withResolvers();
  store = {
    ...memory,
    async db(sourceId) {
      const entries = new Map(await memory.db(sourceId));
      await held.promise;
      return entries;
    },
  };
  await memory.commit([
    { op: "component.put", component },
    { op: "source.put", source },
  ]);
  sourceCache = createSourceCache(store, undefined);
});

const write = (value: string): Promise<void> =>
  store.commit([{ op: "db.set", sourceId: source.id, key: "n", value, at: 1 }]);
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("source cache", () => {
  it("two simultaneous reads get the same source", async () => {
    const both = [sourceCache.get(source.id), sourceCache.get(source.id)];
    held.resolve();
    const [one, two] = await Promise.all(both);
    expect(one).toBe(two);
    expect(await sourceCache.get(source.id)).toBe(one);
  });

  it("a slow read does not replace what the lane put meanwhile", async () => {
    const early = sourceCache.get(source.id);
    await turn();
    const put = {
      source,
      component,
      dedupe: {},
      heads: {},
      db: new Map([["n", "1"]]),
      untrimmed: new Map(),
    };
    sourceCache.put(put);
    held.resolve();
    expect(await early).toBe(put);
    expect(await sourceCache.get(source.id)).toBe(put);
  });

  it("a read that began before `forget` is repeated", async () => {
    const early = sourceCache.get(source.id);
    await turn();
    await write("2");
    sourceCache.forget(source.id);
    held.resolve();
    expect((await early).db.get("n")).toBe("2");
    expect((await sourceCache.get(source.id)).db.get("n")).toBe("2");
  });

  it("a deleted source is not found, at every read", async () => {
    held.resolve();
    await expect(sourceCache.get("dc_gone")).rejects.toMatchObject({ code: "not_found" });
    await expect(sourceCache.get("dc_gone")).rejects.toMatchObject({ code: "not_found" });
  });
});
