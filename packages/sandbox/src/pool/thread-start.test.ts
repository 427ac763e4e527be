import { execFile } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";

import { afterEach, expect, test } from "vitest";

import type { BootData } from "../thread/messages.ts";
import { prestart, takeThread } from "./thread-start.ts";

const taken: Worker[] = [];
function take(boot: BootData = {}): Worker {
  const thread = takeThread(boot);
  taken.push(thread);
  return thread;
}
afterEach(async () => {
  await Promise.all(taken.splice(0).map((thread) => thread.terminate()));
});

/** The thread that starts next. */
const started = async (): Promise<Worker> => ((await once(process, "worker")) as [Worker])[0];

test.each([1, 2, 3])("a thread that was started early is taken once, also after %i calls", async (calls) => {
  const early = started();
  for (let call = 0; call < calls; call += 1) prestart();
  expect(take()).toBe(await early);
  const next = started();
  expect(take()).toBe(await next);
});

test.each([
  ["ended", () => undefined],
  ["failed", (thread: Worker) => thread.emit("error", new Error("out of memory"))],
])("a thread that %s before anybody needed it is not taken", async (_name, fail) => {
  const early = started();
  prestart();
  const thread = await early;
  fail(thread);
  await thread.terminate();
  expect(take()).not.toBe(thread);
});

test("a thread that booted early with other data than are asked for is ended", async () => {
  const early = started();
  prestart();
  const thread = await early;
  const ended = once(thread, "exit");
  expect(take({ memoryBytes: 64 * 1024 * 1024 })).not.toBe(thread);
  await ended;
});

test("a program that starts a thread and never needs it ends by itself", async () => {
  const program = `
    const { prestart } = await import(${JSON.stringify(new URL("thread-start.ts", import.meta.url).href)});
    prestart();
    console.log("ends");
  `;
  const flags = ["--conditions=@x/source", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  expect(stdout).toBe("ends\n");
});
