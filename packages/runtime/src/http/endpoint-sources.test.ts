import { expect, test } from "vitest";

import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { Source } from "../model/model.ts";
import { createEndpointSources, type Elsewhere } from "./endpoint-sources.ts";

const createTrial = (elsewhere?: Partial<Elsewhere>) => {
  const sources = new Map<string, Source>();
  const reads: string[] = [];
  const add = (id: string, key: string, active = true): void =>
    void sources.set(id, { id, active, endpoints: { http: key } } as unknown as Source);
  const found = createEndpointSources({
    store: {
      async sourceByEndpoint(key) {
        reads.push(key);
        return [...sources.values()].find(({ endpoints }) => Object.values(endpoints).includes(key));
      },
    },
    sourceCache: {
      async find(id) {
        const source = sources.get(id);
        return source && ({ source, component: { id: "component" } } as unknown as CachedSource);
      },
    },
    transitions: { byEndpoint: () => undefined },
    elsewhere: () => elsewhere as Elsewhere | undefined,
  });
  const find = async (key: string): Promise<string | undefined> => {
    const at = await found.find(key, false);
    return at && ("awayId" in at ? `away ${at.awayId}` : at.source.id);
  };
  return { add, sources, reads, find, forget: found.forget };
};

test("the store is read once for each endpoint", async () => {
  const { add, reads, find } = createTrial();
  add("dc_1", "key");
  expect([await find("key"), await find("key"), await find("key")]).toEqual(["dc_1", "dc_1", "dc_1"]);
  expect(reads).toEqual(["key"]);
});

test("the endpoint of a deleted source is forgotten", async () => {
  const { add, sources, reads, find, forget } = createTrial();
  add("dc_1", "key");
  await find("key");
  forget(sources.get("dc_1") as Source);
  expect([await find("key"), reads]).toEqual(["dc_1", ["key", "key"]]);
});

test("an endpoint that its source has no more is looked for again", async () => {
  const { add, sources, find } = createTrial();
  add("dc_1", "key");
  await find("key");
  add("dc_1", "other");
  expect(await find("key")).toBeUndefined();
  add("dc_2", "key");
  expect(await find("key")).toBe("dc_2");
  sources.delete("dc_2");
  expect(await find("key")).toBeUndefined();
});

test("a source that was deactivated has no endpoint, until it is active again", async () => {
  const { add, find } = createTrial();
  add("dc_1", "key");
  await find("key");
  add("dc_1", "key", false);
  expect(await find("key")).toBeUndefined();
  add("dc_1", "key");
  expect(await find("key")).toBe("dc_1");
});

test("a source of another node is left to that node, which knows whether the endpoint is there", async () => {
  const { add, reads, find } = createTrial({ enter: async () => undefined, findChanging: async () => undefined });
  add("dc_1", "key");
  expect([await find("key"), await find("key")]).toEqual(["away dc_1", "away dc_1"]);
  expect(reads).toEqual(["key"]);
});

test("a source that is entered and has no such endpoint is left again", async () => {
  let inside = 0;
  const enter = async () => {
    inside += 1;
    return () => void (inside -= 1);
  };
  const { add, find } = createTrial({ enter, findChanging: async () => undefined });
  add("dc_1", "key");
  expect(await find("key")).toBe("dc_1");
  expect(inside).toBe(1);
  add("dc_1", "other");
  expect(await find("key")).toBeUndefined();
  expect(inside).toBe(1);
});
