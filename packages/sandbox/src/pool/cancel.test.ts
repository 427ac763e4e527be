import { afterEach, beforeEach, expect, it } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openOwnSandbox, runBody, type Seen, tryComponent } from "../sandbox.cases.ts";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = openOwnSandbox();
});
afterEach(() => sandbox.close());

const timeoutMs = 60_000;

interface Waiting {
  readonly done: Promise<Seen>;
  readonly restarts: () => number;
  /** Resolves when it has started over for the first time. */
  readonly moved: Promise<void>;
  /** Resolves when it is in a thread again. */
  underWay(): Promise<void>;
  /** Ends the request that it waits for. */
  end(): void;
}

/** Starts a call with this body, and waits until it is under way. */
async function startWaiting(body: string): Promise<Waiting> {
  let begun = Promise.withResolvers<void>();
  let isUnderWay = false;
  const moved = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<never>();
  let restarts = 0;
  const done = tryComponent(sandbox, runBody(`console.log("begun"); ${body}`), {
    timeoutMs,
    logged() {
      isUnderWay = true;
      begun.resolve();
    },
    fetch: () => answered.promise,
    restarted() {
      restarts += 1;
      if (isUnderWay) begun = Promise.withResolvers<void>();
      isUnderWay = false;
      moved.resolve();
    },
  });
  await begun.promise;
  const end = (): void => answered.reject(new Error("at last"));
  return { done, restarts: () => restarts, moved: moved.promise, underWay: () => begun.promise, end };
}

it("a call is not blamed for threads that end because other calls are cancelled", async () => {
  const waiting = await startWaiting(`await fetch("https://example.test/").catch(() => this.$emit("end"))`);
  // Some may loop in another thread.
  for (let round = 0; waiting.restarts() < 5 && round < 100; round++) {
    const leaving = new AbortController();
    const looping = tryComponent(sandbox, runBody(`fetch("https://example.test/"); for (;;);`), {
      source: `dc_${round}`,
      timeoutMs,
      signal: leaving.signal,
      fetch() {
        leaving.abort();
        return Promise.reject(new Error("cancelled"));
      },
    });
    expect((await looping).outcome.error?.code).toBe("closed");
    await waiting.underWay();
  }
  expect(waiting.restarts()).toBeGreaterThanOrEqual(5);
  waiting.end();
  const { outcome, emits } = await waiting.done;
  expect([outcome.status, emits.length]).toEqual(["ok", 1]);
});

it("cancelling calls whose modules are evaluated frees their threads", async () => {
  const waiting = await startWaiting(`await fetch("https://example.test/").catch(() => undefined)`);
  const leaving = new AbortController();
  // More than the most threads, so one of them runs in the thread of the waiting call.
  const looping = Array.from({ length: 6 }, (_, index) =>
    tryComponent(sandbox, `${index}; for (;;);`, { timeoutMs, signal: leaving.signal }),
  );
  await waiting.moved;
  leaving.abort();
  expect((await Promise.all(looping)).map(({ outcome }) => outcome.error?.code)).toEqual(looping.map(() => "closed"));
  waiting.end();
  expect((await waiting.done).outcome.status).toBe("ok");
  expect((await tryComponent(sandbox, runBody(`this.$emit("next")`))).outcome.status).toBe("ok");
});

it("closing ends a description as closed", async () => {
  const describing = sandbox.describe({ hash: "h", code: "for (;;);" }, { timeoutMs, memoryBytes: 64 * 1024 * 1024 });
  await sandbox.close();
  expect(await describing).toMatchObject({ ok: false, error: { code: "closed" } });
});

it("S1 a call that is cancelled before its thread has its code does not affect the next", async () => {
  // Starts the thread, which does not have the code yet.
  await tryComponent(sandbox, runBody(`this.$emit("other")`));
  const code = runBody(`this.$emit("here")`);
  const leaving = new AbortController();
  const left = tryComponent(sandbox, code, { signal: leaving.signal });
  leaving.abort();
  expect((await left).outcome.error?.code).toBe("closed");
  // When another call has ended, the thread has asked for the code and got the reply.
  await tryComponent(sandbox, runBody(`this.$emit("another")`));
  for (let call = 0; call < 3; call++) {
    const seen = await tryComponent(sandbox, code);
    expect([seen.outcome.status, seen.emits.map(({ payload }) => payload)]).toEqual(["ok", ['"here"']]);
  }
});
