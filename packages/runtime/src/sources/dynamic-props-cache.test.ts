import { describe, expect, it } from "vitest";

import { createDynamicPropsCache } from "./dynamic-props-cache.ts";

const props = [{ name: "p", type: "string" }];

describe("dynamic props cache", () => {
  it("finds props by id, user and component", () => {
    const cache = createDynamicPropsCache();
    const id = cache.add("u_1", "sc_1", props);
    expect(cache.find(id, "u_1", "sc_1")).toEqual(props);
    expect(() => cache.find(id, "u_2", "sc_1")).toThrow(`No dynamic props have the id "${id}" now`);
    expect(() => cache.find("dyp_other", "u_1", "sc_1")).toThrow(`No dynamic props have the id "dyp_other" now`);
    expect(() => cache.find(id, "u_1", "sc_2")).toThrow(`must be the id of dynamic props of component sc_2`);
  });

  it("evicts the oldest props of a user who adds too many, and none of other users", () => {
    const cache = createDynamicPropsCache();
    const large = [{ name: "p", type: "string", description: "x".repeat(1024 * 1024) }];
    const other = cache.add("u_2", "sc_1", props);
    const ids = Array.from({ length: 5 }, () => cache.add("u_1", "sc_1", large));
    expect(() => cache.find(ids[0] ?? "", "u_1", "sc_1")).toThrow("No dynamic props");
    expect(cache.find(ids[4] ?? "", "u_1", "sc_1")).toBe(large);
    expect(cache.find(other, "u_2", "sc_1")).toBe(props);
  });
});
