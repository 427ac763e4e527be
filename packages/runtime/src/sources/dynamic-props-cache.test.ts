import { describe, expect, it } from "vitest";

import { createDynamicPropsCache } from "./dynamic-props-cache.ts";

const props = [{ name: "p", type: "string" }];

describe("dynamic props cache", () => {
  it("finds props by id, user and component", async () => {
    const cache = createDynamicPropsCache();
    const id = cache.add("u_1", "sc_1", props);
    expect(await cache.find(id, "u_1", "sc_1")).toEqual(props);
    await expect(cache.find(id, "u_2", "sc_1")).rejects.toThrow(`No dynamic props have the id "${id}" now`);
    const unknown = cache.find("dyp_other", "u_1", "sc_1");
    await expect(unknown).rejects.toThrow(`No dynamic props have the id "dyp_other" now`);
    await expect(cache.find(id, "u_1", "sc_2")).rejects.toThrow(`must be the id of dynamic props of component sc_2`);
  });

  it("evicts the oldest props of a user who adds too many, and none of other users", async () => {
    const cache = createDynamicPropsCache();
    const large = [{ name: "p", type: "string", description: "x".repeat(1024 * 1024) }];
    const other = cache.add("u_2", "sc_1", props);
    const ids = Array.from({ length: 5 }, () => cache.add("u_1", "sc_1", large));
    await expect(cache.find(ids[0] ?? "", "u_1", "sc_1")).rejects.toThrow("No dynamic props");
    expect(await cache.find(ids[4] ?? "", "u_1", "sc_1")).toBe(large);
    expect(await cache.find(other, "u_2", "sc_1")).toBe(props);
  });
});
