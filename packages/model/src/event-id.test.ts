import { describe, expect, it } from "vitest";

import { compareEventIds, formatEventId, nextEventId, parseEventId } from "./event-id.ts";

describe("event ids", () => {
  it("R017 event ids increase within a millisecond and never decrease", () => {
    const first = nextEventId(undefined, 5);
    const second = nextEventId(first, 5);
    const back = nextEventId(second, 3);
    const later = nextEventId(back, 6);
    expect([first, second, back, later].map(formatEventId)).toEqual(["5-0", "5-1", "5-2", "6-0"]);
  });

  it("3.5 event ids are compared as numbers and parsed strictly", () => {
    const ids = ["10-0", "9-0", "9-10", "9-9"].map((text) => parseEventId(text) ?? { ms: -1, seq: -1 });
    expect(ids.toSorted(compareEventIds).map(formatEventId)).toEqual(["9-0", "9-9", "9-10", "10-0"]);
    for (const text of [
      "",
      "5",
      "5-",
      "-5-0",
      "5-0-1",
      "5.0-1",
      " 5-0",
      "5-x",
      "99999999999999999-0",
      "9999999999999999-0",
    ])
      expect(parseEventId(text)).toBeUndefined();
  });
});
