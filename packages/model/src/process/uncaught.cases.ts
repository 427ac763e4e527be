import { setImmediate as nextTurn } from "node:timers/promises";

const events = ["uncaughtException", "unhandledRejection"] as const;

/** What would end this process. The test runner does not see it until this is disposed of. */
export interface Uncaught extends Disposable {
  /** Errors that nothing caught and rejections that nothing handled, up to this turn of the event loop. */
  found(): Promise<readonly unknown[]>;
}

export function watchUncaught(): Uncaught {
  const errors: unknown[] = [];
  const note = (error: unknown): void => void errors.push(error);
  const kept = events.map((event) => process.rawListeners(event) as ((error: unknown) => void)[]);
  for (const event of events) process.removeAllListeners(event).on(event, note);
  return {
    async found() {
      await nextTurn();
      return errors;
    },
    [Symbol.dispose]() {
      for (const [index, event] of events.entries()) {
        process.off(event, note);
        for (const listener of kept[index] ?? []) process.on(event, listener);
      }
    },
  };
}
