import { expect, test } from "vitest";

import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { Source } from "../../../model/src/model.ts";
import { createEndpointSources } from "./endpoint-sources.ts";

const createTrial = () => {
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
  });
  const find = async (key: string): Promise<string | undefined> => {
    const at = await found.find(key);
    return at?.source.id;
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
