import { describe, expect, it } from "vitest";

import { newApiKey, newEndpointKey, newId, newSortableId } from "./ids.ts";

const repeat = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe("ids", () => {
  it("R003 have their prefix and are unique", () => {
    for (const prefix of ["sc", "dc", "u", "p", "wh", "sub", "d", "c"] as const)
      expect(newId(prefix)).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{10}$`));
    expect(new Set(repeat(2_000, () => newId("dc"))).size).toBe(2_000);
  });

  it("G28 an endpoint key is valid in a host name, and keys are long", () => {
    expect(newEndpointKey()).toMatch(/^[0-9a-z]{28}$/);
    expect(newApiKey()).toMatch(/^[0-9A-Za-z]{40}$/);
  });

  it("every letter is about equally frequent", () => {
    const counts = new Map<string, number>();
    for (const letter of repeat(1_500, newApiKey).join("")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 60 000 draws over 62 letters: 968 each; seven standard deviations are 217.
    for (const count of counts.values()) expect(Math.abs(count - 968)).toBeLessThan(217);
  });

  it("3.5 an emit id has 27 characters and sorts by its time in seconds", () => {
    const seconds = [1_400_000_000, 1_795_197_600, 1_795_197_601, 1_999_999_999, 5_600_000_000];
    const ids = seconds.map((second) => newSortableId(second * 1_000));
    for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{27}$/);
    expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids);
    expect(newSortableId(0)).toHaveLength(27);
    expect(new Set(repeat(2_000, () => newSortableId(1_795_197_600_000))).size).toBe(2_000);
  });
});
