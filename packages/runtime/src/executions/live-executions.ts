import type { ExecutionsFilter, StoredExecution } from "../api/executions-api.ts";
import type { ExecutionSummary } from "@x/model";

/** Sends committed executions to current listeners. */
export interface LiveExecutions {
  publish(summary: ExecutionSummary, commitMs: number | null): void;
  /** The executions of this user. */
  listen(filter: ExecutionsFilter, userId: string): AsyncIterableIterator<StoredExecution>;
  /** Ends the listeners that use this API key. */
  revoke(apiKey: string): void;
  close(): void;
}

/** Executions. A listener that falls further behind ends, so that it has no gap. */
const defaultBacklog = 10_000;

interface Listener {
  readonly apiKey: string | undefined;
  receive(execution: StoredExecution): void;
  end(): void;
}

/** Creates the live executions of a runtime. `isValid` checks an API key. */
export function createLiveExecutions(isValid: (apiKey: string) => boolean): LiveExecutions {
  const listeners = new Set<Listener>();
  let isClosed = false;

  function listen(filter: ExecutionsFilter, userId: string): AsyncIterableIterator<StoredExecution> {
    const { sourceId, apiKey, signal, backlog: maxWaiting = defaultBacklog } = filter;
    let backlog: StoredExecution[] = [];
    const state = { hasEnded: false };
    let readers: (() => void)[] = [];
    const wake = (): void => {
      const woken = readers;
      readers = [];
      for (const resolve of woken) resolve();
    };
    const listener: Listener = {
      apiKey,
      receive(execution) {
        if (execution.userId !== userId) return;
        if (sourceId !== undefined && execution.sourceId !== sourceId) return;
        if (backlog.length >= maxWaiting) {
          listener.end();
          return;
        }
        backlog.push(execution);
        wake();
      },
      end() {
        state.hasEnded = true;
        listeners.delete(listener);
        wake();
      },
    };
    const leave = (): void => listener.end();
    // The key may have been revoked since the request was authenticated.
    if (isClosed || signal?.aborted || (apiKey !== undefined && !isValid(apiKey))) state.hasEnded = true;
    else listeners.add(listener);
    signal?.addEventListener("abort", leave, { once: true });

    return {
      async next() {
        while (backlog.length === 0 && !state.hasEnded) {
          await new Promise<void>((resolve) => {
            readers.push(resolve);
          });
        }
        const value = backlog.shift();
        if (value) return { value, done: false };
        signal?.removeEventListener("abort", leave);
        return { value: undefined, done: true };
      },
      return() {
        signal?.removeEventListener("abort", leave);
        leave();
        backlog = [];
        return Promise.resolve({ value: undefined, done: true });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  return {
    publish(summary, commitMs) {
      if (listeners.size === 0) return;
      const execution = { ...summary, commitMs };
      for (const listener of listeners) listener.receive(execution);
    },
    listen,
    revoke(apiKey) {
      for (const listener of listeners) if (listener.apiKey === apiKey) listener.end();
    },
    close() {
      isClosed = true;
      for (const listener of listeners) listener.end();
    },
  };
}
