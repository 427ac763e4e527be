import { expect, test } from "vitest";

import { createEndpointSources } from "../http/endpoint-sources.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { Source } from "../../../model/src/model.ts";
import { createSharedFind, type SharedFindParts } from "./shared-endpoint.ts";

const createTrial = (heldSlots: Pick<SharedFindParts["heldSlots"], "isHere" | "enter">) => {
  const sources = new Map<string, Source>();
  const reads: string[] = [];
  const add = (id: string, key: string): void =>
    void sources.set(id, { id, active: true, endpoints: { http: key } } as unknown as Source);
  const endpointSources = createEndpointSources({
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
  const sharedFind = createSharedFind({
    store: { transitions: async () => [] },
    heldSlots: { ...heldSlots, isLeaving: () => false, isHeld: () => false },
    endpointSources,
    ready: async () => undefined,
  });
  const find = async (key: string): Promise<string | undefined> => {
    const at = await sharedFind(key, false);
    return at && ("awayId" in at ? `away ${at.awayId}` : at.source.id);
  };
  return { add, reads, find };
};

test("a source of another node is left to that node, which knows whether the endpoint is there", async () => {
  const enter = () => {
    throw new Error("entered");
  };
  const { add, reads, find } = createTrial({ isHere: async () => false, enter });
  add("dc_1", "key");
  expect([await find("key"), await find("key")]).toEqual(["away dc_1", "away dc_1"]);
  expect(reads).toEqual(["key"]);
});

test("a source that is entered and has no such endpoint is left again", async () => {
  let inside = 0;
  const enter = () => {
    inside += 1;
    return { [Symbol.dispose]: () => void (inside -= 1) };
  };
  const { add, find } = createTrial({ isHere: async () => true, enter });
  add("dc_1", "key");
  expect(await find("key")).toBe("dc_1");
  expect(inside).toBe(1);
  add("dc_1", "other");
  expect(await find("key")).toBeUndefined();
  expect(inside).toBe(1);
});
