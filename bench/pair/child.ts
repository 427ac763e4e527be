/** One side of `bench:pair`: a round for each message, and its figures as the answer. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { createRuntime } from "@x/runtime";

import { deployAll, load, sourceCount } from "../at-once.ts";

/** The built runtime, and how long a round lasts. */
export interface Task {
  readonly entry: string;
  readonly roundMs: number;
  readonly memory: boolean;
}

/** What `load` found. */
export type Round = Awaited<ReturnType<typeof load>>;

const { entry, roundMs, memory } = JSON.parse(process.argv[2] ?? "") as Task;
const built = (await import(pathToFileURL(entry).href)) as { createRuntime: typeof createRuntime };
const folder = memory ? undefined : mkdtempSync(join(tmpdir(), "x-pair-"));
const runtime = await built.createRuntime(folder === undefined ? {} : { data: folder });
const endpoints = await deployAll(runtime, sourceCount);

process.on("message", () => {
  void load(runtime, endpoints, { roundMs, minRuns: 0 }).then((round) => process.send?.(round));
});
process.once("disconnect", () => {
  void runtime.close().then(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
});
