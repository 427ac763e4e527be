import { afterAll, beforeAll, expect, test } from "vitest";

import type { LogFields } from "../../../model/src/logger.ts";
import { openTrial, runText, type Trial } from "../runtime.cases.ts";
import { checkMs, createThreadHolds, type ThreadHolds } from "./thread-holds.ts";

/** A thread whose time moves by hand. */
function thread(): {
  holds: ThreadHolds;
  lines: (LogFields | undefined)[];
  work(ms: number): void;
  wait(ms: number): void;
} {
  let [now, used] = [0, 0];
  const lines: (LogFields | undefined)[] = [];
  const logger = { info() {}, error() {}, warn: (_message: string, fields?: LogFields) => void lines.push(fields) };
  return {
    holds: createThreadHolds({ logger, now: () => now, used: () => used }),
    lines,
    work(ms) {
      now += ms;
      used += ms;
    },
    wait: (ms) => void (now += ms),
  };
}

test("names the longest work of a stretch in which nothing else ran", () => {
  const { holds, lines, work } = thread();
  holds.begin("short");
  work(20);
  holds.begin("long", "dc_1");
  work(300);
  holds.begin("short", "dc_2");
  work(80);
  holds.check();
  expect(lines).toEqual([{ work: "long", source: "dc_1", duration_ms: 300 }]);
  work(checkMs);
  holds.check();
  work(checkMs + 400);
  holds.check();
  expect(lines.slice(1)).toEqual([{ work: "short", source: "dc_2", duration_ms: 400 }]);
  expect(holds.count).toBe(2);
});

test("a busy thread that serves everybody in turn is not held, nor is one that was paused", () => {
  const { holds, lines, work, wait } = thread();
  holds.begin("work");
  for (let turn = 0; turn < 50; turn++) {
    work(checkMs + 200);
    holds.check();
  }
  wait(60_000);
  holds.check();
  work(100);
  wait(5_000);
  holds.check();
  expect([lines, holds.count]).toEqual([[], 0]);
});

test("nothing is checked while there is no work, and what work holds the thread afterwards is named", () => {
  const { holds, lines, work, wait } = thread();
  const checks = new Set<() => void>();
  const end = holds.watch((check) => {
    checks.add(check);
    return () => checks.delete(check);
  });
  const checkAll = (): void => checks.forEach((check) => check());
  for (let turn = 0; turn < 10; turn++) {
    wait(checkMs);
    checkAll();
  }
  expect(checks.size).toBe(0);
  work(5_000);
  holds.begin("work", "dc_1");
  expect(checks.size).toBe(1);
  work(checkMs + 300);
  checkAll();
  expect(lines).toEqual([{ work: "work", source: "dc_1", duration_ms: 300 }]);
  end();
  holds.begin("work");
  expect(checks.size).toBe(0);
});

/** Uses the thread's processor for a while. */
function hold(): void {
  const before = process.threadCpuUsage();
  const used = (): number => (({ user, system }) => (user + system) / 1_000)(process.threadCpuUsage(before));
  while (used() < 600);
}

let trial: Trial;
const lines: { readonly message: string; readonly fields: LogFields | undefined }[] = [];
beforeAll(async () => {
  const warn = (message: string, fields?: LogFields): void => void lines.push({ message, fields });
  trial = await openTrial({
    logger: { info() {}, error() {}, warn },
    observe: {
      end: hold,
      delivery: hold,
    },
  });
});
afterAll(() => trial.runtime.close());

test("the log of a runtime says that a delivery held the main thread, and of which source", async () => {
  const { source } = await trial.deploy(runText("this.$emit(1);"));
  // Nobody listens there.
  const webhook = await trial.runtime.createWebhook({ url: "http://127.0.0.1:1/", name: "Archive" });
  await trial.runtime.subscribe({ emitterId: source.id, listenerId: webhook.id });
  await trial.runtime.invoke(source.id);
  await trial.runtime.idle();
  const fields = { work: "the end of a delivery", source: source.id, duration_ms: expect.any(Number) as unknown };
  await expect.poll(() => lines).toContainEqual({ message: "the main thread was held", fields });
});

test("the log of a runtime says which source held the main thread, and its numbers count it", async () => {
  const { source } = await trial.deploy(runText(""));
  await trial.runtime.invoke(source.id);
  const held = {
    message: "the main thread was held",
    fields: { work: "the end of a run", source: source.id, duration_ms: expect.any(Number) as unknown },
  };
  await expect.poll(() => lines).toContainEqual(held);
  // A slow machine may have more of them.
  expect((await trial.runtime.stats()).threadHolds).toBe(
    lines.filter(({ message }) => message === held.message).length,
  );
});
