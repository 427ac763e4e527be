import { describe, expect, it } from "vitest";

import { createKeptProps } from "./kept-props.ts";

const props = [{ name: "p", type: "string" }];

describe("kept props", () => {
  it("are found by their id, user and component", () => {
    const kept = createKeptProps();
    const id = kept.keep("u_1", "sc_1", props);
    expect(kept.find(id, "u_1", "sc_1")).toEqual(props);
    expect(() => kept.find(id, "u_2", "sc_1")).toThrow(`No dynamic props have the id "${id}" now`);
    expect(() => kept.find("dyp_other", "u_1", "sc_1")).toThrow(`No dynamic props have the id "dyp_other" now`);
    expect(() => kept.find(id, "u_1", "sc_2")).toThrow(`must be the id of dynamic props of component sc_2`);
  });

  it("are forgotten when a user keeps too many, the oldest first, and no other user's", () => {
    const kept = createKeptProps();
    const large = [{ name: "p", type: "string", description: "x".repeat(1024 * 1024) }];
    const other = kept.keep("u_2", "sc_1", props);
    const ids = Array.from({ length: 5 }, () => kept.keep("u_1", "sc_1", large));
    expect(() => kept.find(ids[0] ?? "", "u_1", "sc_1")).toThrow("No dynamic props");
    expect(kept.find(ids[4] ?? "", "u_1", "sc_1")).toBe(large);
    expect(kept.find(other, "u_2", "sc_1")).toBe(props);
  });
});
