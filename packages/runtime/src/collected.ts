import type { CallHost, GuestEmit, GuestLog, GuestResponse } from "./sandbox/contract.ts";

/** The effects of one call, gathered as they reach the host. */
export interface Collected {
  readonly emits: GuestEmit[];
  /** Last write per key; undefined deletes. */
  readonly db: Map<string, string | undefined>;
  readonly logs: GuestLog[];
  response: GuestResponse | undefined;
  /** The step of a workflow that began last. */
  step: string | undefined;
  readonly host: CallHost;
}

export interface CollectOptions {
  readonly fetch: CallHost["fetch"];
  /** Called once, at the first `respond`. */
  readonly respond?: (response: GuestResponse) => void;
}

export function collect({ fetch, respond }: CollectOptions): Collected {
  const collected: Collected = {
    emits: [],
    db: new Map(),
    logs: [],
    response: undefined,
    step: undefined,
    host: {
      restart() {
        collected.emits.length = 0;
        collected.logs.length = 0;
        collected.db.clear();
        collected.step = undefined;
      },
      emit: (emit) => void collected.emits.push(emit),
      dbSet: (key, value) => void collected.db.set(key, value),
      log: (log) => void collected.logs.push(log),
      step: (name) => void (collected.step = name),
      respond(response) {
        // The answer is sent at the call; one that was sent before a restart stays sent.
        if (collected.response) return;
        collected.response = response;
        respond?.(response);
      },
      fetch,
    },
  };
  return collected;
}
