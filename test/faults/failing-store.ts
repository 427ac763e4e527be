import { XError } from "@x/runtime";

import type { Change, Store } from "../../packages/store/src/contract.ts";

/** A store whose calls can be made to fail one at a time. */
export interface FailingStore {
  readonly store: Store;
  /** The n-th call from now on rejects with `store_failed` and has no effect; `undefined`: no call. */
  failAt(n: number | undefined): void;
  /** The next commit that has an operation of this name fails. */
  failCommit(op: Change["op"]): void;
  /** The failed call; undefined when none has failed since `failAt`. */
  failed(): string | undefined;
}

const isCommit = (args: readonly unknown[]): args is [readonly Change[]] => Array.isArray(args[0]);

/** Puts failures between a runtime and its store. Closing it does not close the store behind it. */
export function createFailingStore(inner: Store): FailingStore {
  let calls = 0;
  let failing: number | undefined;
  let failingOp: Change["op"] | undefined;
  let failed: string | undefined;
  const methods = Object.fromEntries(
    Object.entries(inner).map(([name, method]: [string, (...args: unknown[]) => Promise<unknown>]) => [
      name,
      async (...args: unknown[]) => {
        // Stays open for the next runtime.
        if (name === "close") return undefined;
        calls += 1;
        const refused = isCommit(args) && args[0].some(({ op }) => op === failingOp);
        if (refused) failingOp = undefined;
        else if (calls !== failing) return method(...args);
        failed = isCommit(args) ? `commit ${args[0].map(({ op }) => op).join(" ")}` : name;
        throw new XError("store_failed", [failed, "the test says so"]);
      },
    ]),
  ) as unknown as Store;
  const store: Store = { ...methods, failed: inner.failed };
  return {
    store,
    failAt(n) {
      failing = n === undefined ? undefined : calls + n;
      failed = undefined;
    },
    failCommit(op) {
      failingOp = op;
      failed = undefined;
    },
    failed: () => failed,
  };
}
