import { expect, test } from "vitest";

import { createRest } from "./rest.ts";

/** A thread whose time the test moves, and what it keeps. */
function openThread(): {
  readonly kept: Set<string>;
  readonly collections: () => number;
  busy: boolean;
  use(key: string): void;
  pass(): boolean;
} {
  const kept = new Set<string>();
  let next: (() => void) | undefined;
  let collections = 0;
  const thread = {
    kept,
    collections: () => collections,
    busy: false,
    use(key: string) {
      kept.add(key);
      rest.used(key);
    },
    /** False: nothing waits for time to pass. */
    pass() {
      const work = next;
      next = undefined;
      work?.();
      return work !== undefined;
    },
  };
  const rest = createRest<string>({
    later: (work) => (next = work),
    isBusy: () => thread.busy,
    release(used) {
      for (const key of kept) if (!used.has(key)) kept.delete(key);
      return kept.size > 0;
    },
    collect: () => (collections += 1),
  });
  return thread;
}

test("what was used since the last look stays, the rest goes at the next one", () => {
  const thread = openThread();
  thread.use("a");
  thread.use("b");
  thread.pass();
  expect([...thread.kept]).toEqual(["a", "b"]);
  thread.use("b");
  thread.pass();
  expect([...thread.kept]).toEqual(["b"]);
});

test("an idle thread lets go of everything, collects garbage once and does not wake up again", () => {
  const thread = openThread();
  thread.use("a");
  expect(thread.pass()).toBe(true);
  expect(thread.collections()).toBe(0);
  expect(thread.pass()).toBe(true);
  expect([...thread.kept]).toEqual([]);
  expect(thread.collections()).toBe(1);
  expect(thread.pass()).toBe(false);
  thread.use("c");
  expect(thread.pass()).toBe(true);
});

test("garbage is not collected during a call", () => {
  const thread = openThread();
  thread.use("a");
  thread.pass();
  thread.busy = true;
  thread.pass();
  expect(thread.collections()).toBe(0);
  thread.busy = false;
  thread.pass();
  expect(thread.collections()).toBe(1);
});
