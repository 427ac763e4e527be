import { XError } from "@x/runtime";
import { expect, test } from "vitest";

import { formatCursor, pageBody, pageBytes, parseEventIdParameter, parseLimit, parsePage } from "./page.ts";

test("limit is clamped to 1 to 100 and defaults to 10", () => {
  expect(["", undefined, "1", "0", "-5", "100", "101", "99999999999999999999"].map(parseLimit)).toEqual([
    10, 10, 1, 1, 1, 100, 100, 100,
  ]);
});

test("a cursor is the unpadded base64url of the id and comes back as the id", () => {
  expect(formatCursor("dc_K0uAee")).toBe("ZGNfSzB1QWVl");
  expect(formatCursor("dc_aaaa")).toBe("ZGNfYWFhYQ");
  expect(parsePage({ after: "ZGNfYWFhYQ", before: "" })).toEqual({ limit: 10, bytes: pageBytes, after: "dc_aaaa" });
});

test("a cursor that does not decode is refused", () => {
  for (const after of ["ZGNfYWFhYQ!", "%", "ZGNf", "YWJj", "AA", "ZGNfYWFhYR", "//79"]) {
    expect(() => parsePage({ after }), after).toThrow(XError);
  }
});

test("an empty event id in a range does not count as absent", () => {
  expect(parseEventIdParameter("start_id", "9-0")).toBe("9-0");
  expect(parseEventIdParameter("after", "")).toBeUndefined();
  expect(() => parseEventIdParameter("start_id", "")).toThrow(XError);
  expect(() => parseEventIdParameter("end_id", "9")).toThrow(XError);
});

test("a page has its cursors, and empty ones when it is empty", () => {
  const view = (id: string): object => ({ id });
  expect(pageBody({ totalCount: 5, items: ["a", "b"] }, (id) => id, view)).toEqual({
    page_info: { total_count: 5, count: 2, start_cursor: "a", end_cursor: "b" },
    data: [{ id: "a" }, { id: "b" }],
  });
  expect(pageBody({ totalCount: 5, items: [] }, (id: string) => id, view)).toEqual({
    page_info: { total_count: 5, count: 0, start_cursor: "", end_cursor: "" },
    data: [],
  });
});
