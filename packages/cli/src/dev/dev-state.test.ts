import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";
import { openDevState } from "./dev-state.ts";

test("sources are found by their files again, also when the project has moved with its data", async () => {
  await using folder = await makeFolder();
  const [before, after] = ["before", "after"].map((name) => join(folder.path, name)) as [string, string];
  await mkdir(join(before, ".x/dev"), { recursive: true });
  const first = openDevState(join(before, ".x/dev"));
  expect([first.sourceOf(join(before, "a.js")), first.entries()]).toEqual([undefined, []]);
  first.setSource(join(before, "a.js"), "dc_1");
  first.setSource(join(before, "lib/b.js"), "dc_2");
  await rename(before, after);
  expect(openDevState(join(after, ".x/dev")).entries()).toEqual([
    { file: join(after, "a.js"), sourceId: "dc_1" },
    { file: join(after, "lib/b.js"), sourceId: "dc_2" },
  ]);
});

test("a damaged state is reported, not overwritten", async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, "dev.json"), "{");
  expect(() => openDevState(folder.path)).toThrow(/dev\.json is damaged; remove it/);
});
