import { expect, test } from "vitest";

import { measureSharedModule } from "./shared-module.ts";

test("a module that many components share takes its space on the disk once", async () => {
  const { listed, bytes } = await measureSharedModule(20);
  expect(listed).toBe(20);
  // Its code and its source map take 370 kB compressed.
  expect(bytes).toBeLessThan(1024 * 1024);
});
