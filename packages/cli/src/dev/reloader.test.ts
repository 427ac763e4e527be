import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { systemClock, XError } from "@x/runtime";
import { expect, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";
import type { DevFile, Loaded } from "./dev-file.ts";
import type { DevMessage } from "./message.ts";
import { createReloader } from "./reloader.ts";
import { createTasks } from "./tasks.ts";

test("a change that waits for a run is told once, however often it is tried, and again at the next wait", async () => {
  await using folder = await makeFolder({ "a.js": "" });
  const path = join(folder.path, "a.js");
  const emitter = {
    id: "dc_1",
    name: "a",
    deploymentId: "d",
    endpoints: [],
    hasTimer: false,
    appsWithoutAccount: [],
    shape: undefined,
    start: () => ({}),
  };
  const busy: Loaded = { ok: false, error: new XError("busy", ["dc_1"]) };
  const loaded = (change: "updated" | "unchanged"): Loaded => ({
    ok: true,
    emitter,
    change,
    differences: [],
    newEndpoints: [],
  });
  // By what the file holds: how often it is read, depends on the machine.
  const answers: { [text: string]: Loaded[] } = {
    "1": [busy, busy, loaded("updated")],
    "2": [busy, loaded("updated")],
  };
  const file: DevFile = {
    shown: "a.js",
    root: folder.path,
    emitter,
    paths: new Set([path]),
    nameOf: () => "a.js",
    load: async () => answers[await readFile(path, "utf8")]?.shift() ?? loaded("unchanged"),
  };
  const told: string[] = [];
  let updates = Promise.withResolvers<void>();
  const tell = (message: DevMessage): void =>
    void told.push(message.message === "note" ? message.text.replace(/;.*/, "") : message.message);
  const tasks = createTasks((error) => told.push(String(error)));
  const reloader = createReloader({ files: [file], clock: systemClock, tasks, tell, updated: () => updates.resolve() });
  reloader.start(new Map([[file, loaded("unchanged")]]));
  for (const text of ["1", "2"]) {
    await writeFile(path, text);
    await updates.promise;
    updates = Promise.withResolvers();
  }
  reloader.close();
  await tasks.ended();
  const waits = "a.js is updated when its run has ended";
  expect(told).toEqual([waits, "changed", waits, "changed"]);
});
