import { lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";
import { fileTimeNow } from "./file-time.ts";

test("a file that is changed after the time was read never has an earlier change time", async () => {
  await using folder = await makeFolder();
  const file = join(folder.path, "a.js");
  for (let n = 0; n < 200; n++) {
    const before = fileTimeNow();
    writeFileSync(file, String(n));
    expect(lstatSync(file).ctimeMs).toBeGreaterThanOrEqual(before);
  }
});
