import { beforeEach, describe, expect, it } from "vitest";

import { createResidents, type Residents } from "./residents.ts";
import { exampleComponent, exampleSource } from "../../store/conformance/examples.cases.ts";
import type { Store } from "../../store/contract.ts";
import { createMemoryStore } from "../../store/memory/memory.ts";

const component = exampleComponent("sc_1");
const source = exampleSource("dc_1", { componentId: component.id });
let held: PromiseWithResolvers<void>;
let store: Store;
let residents: Residents;

/** A store whose reads of a db are as slow as the test wants: they take what is there and give it out later. */
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
  residents = createResidents(store, undefined);
});

const write = (value: string): Promise<void> =>
  store.commit([{ op: "db.set", sourceId: source.id, key: "n", value, at: 1 }]);
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("residents", () => {
  it("two who ask at once get the same resident", async () => {
    const both = [residents.get(source.id), residents.get(source.id)];
    held.resolve();
    const [one, two] = await Promise.all(both);
    expect(one).toBe(two);
    expect(await residents.get(source.id)).toBe(one);
  });

  it("what was read before the lane put its resident does not take that one's place", async () => {
    const early = residents.get(source.id);
    await turn();
    const put = {
      source,
      component,
      dedupe: {},
      heads: {},
      db: new Map([["n", "1"]]),
      untrimmed: new Map(),
    };
    residents.put(put);
    held.resolve();
    expect(await early).toBe(put);
    expect(await residents.get(source.id)).toBe(put);
  });

  it("what was read before it was forgotten is read again", async () => {
    const early = residents.get(source.id);
    await turn();
    await write("2");
    residents.forget(source.id);
    held.resolve();
    expect((await early).db.get("n")).toBe("2");
    expect((await residents.get(source.id)).db.get("n")).toBe("2");
  });

  it("a source that is gone is not found, however often one asks", async () => {
    held.resolve();
    await expect(residents.get("dc_gone")).rejects.toMatchObject({ code: "not_found" });
    await expect(residents.get("dc_gone")).rejects.toMatchObject({ code: "not_found" });
  });
});
