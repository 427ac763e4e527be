import { expect, it } from "vitest";

import { checkedPath } from "./api-path.ts";

it("refuses paths that a browser resolves to others", () => {
  for (const path of ["/sources/dc_1/db/..", "/sources/dc_1/db/.", "/sources/dc_1/db/", "/apps//endpoint", "/../x"])
    expect(() => checkedPath(path)).toThrow("cannot be part of a URL path");
});

it("keeps other paths", () => {
  for (const path of ["/sources", "/data_stores/a%2Fb/...", "/sources/dc_1/db/..a", "/sources/dc_1/db/%252e%252e"])
    expect(checkedPath(path)).toBe(path);
});
