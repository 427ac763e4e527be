import type { ObservedCall } from "./model.ts";
import type { CallHost, GuestEmit, GuestLog, GuestResponse } from "./sandbox/contract.ts";

/** The effects of one call, gathered as they reach the host. */
export interface Collected {
  readonly emits: GuestEmit[];
  /** Last write per key; undefined deletes. */
  readonly db: Map<string, string | undefined>;
  readonly logs: GuestLog[];
  response: GuestResponse | undefined;
  /** The steps of a workflow that began, in their order. */
  readonly steps: string[];
  readonly calls: ObservedCall[];
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
    steps: [],
    calls: [],
    host: {
      restart() {
        collected.emits.length = 0;
        collected.logs.length = 0;
        collected.db.clear();
        collected.steps.length = 0;
      },
      emit: (emit) => void collected.emits.push(emit),
      dbSet: (key, value) => void collected.db.set(key, value),
      log: (log) => void collected.logs.push(log),
      step: (name) => void collected.steps.push(name),
      respond(response) {
        // The answer is sent at the call; one that was sent before a restart stays sent.
        if (collected.response) return;
        collected.response = response;
        respond?.(response);
      },
      async fetch(request, signal) {
        const { method, url } = request;
        const index = collected.calls.push({ method, url }) - 1;
        try {
          const reply = await fetch(request, signal);
          collected.calls[index] = { method, url, status: reply.status };
          return reply;
        } catch (error) {
          collected.calls[index] = { method, url, error: error instanceof Error ? error.message : String(error) };
          throw error;
        }
      },
    },
  };
  return collected;
}
