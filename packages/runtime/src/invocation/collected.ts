import type { ObservedCall } from "@x/model";
import { CallDataStores, type CallDataStoresParts } from "../data-stores/call-data-stores.ts";
import { createLastLogs, type LastLogs } from "./records/last-logs.ts";
import type { RunTrace } from "./run-trace.ts";
import type { CallHost, GuestEmit, GuestResponse } from "@x/sandbox";

/** The effects of one call, collected as they reach the host. */
export interface Collected {
  readonly emits: GuestEmit[];
  /** Last write per key; undefined deletes. */
  readonly db: Map<string, string | undefined>;
  /** The data stores as the call sees them, with its writes. */
  dataStores: CallDataStores;
  readonly logs: LastLogs;
  response: GuestResponse | undefined;
  /** The workflow step that began last. */
  step: string | undefined;
  readonly host: CallHost;
}

/** Details of a call that only an observer receives. */
export interface Trace {
  /** Workflow steps that began, in this order. */
  readonly steps: string[];
  readonly calls: ObservedCall[];
}

export interface CollectOptions {
  /** Most log records of the call; older ones are dropped. */
  readonly logsPerRun: number;
  readonly fetch: CallHost["fetch"];
  readonly dataStores: CallDataStoresParts;
  /** Tells what other calls write to the db during the call. */
  readonly followDb?: CallHost["followDb"];
  /** Called once, at the first `respond`. */
  readonly respond?: (response: GuestResponse) => void;
  /** Absent without an observer: its length depends on the component. */
  readonly trace?: Trace | undefined;
  /** For the record of the execution; absent when none is made. */
  readonly runTrace?: RunTrace | undefined;
}

const traced =
  (fetch: CallHost["fetch"], calls: ObservedCall[]): CallHost["fetch"] =>
  async (request, signal, hold) => {
    const { method, url } = request;
    const index = calls.push({ method, url }) - 1;
    try {
      const reply = await fetch(request, signal, hold);
      calls[index] = { method, url, status: reply.status };
      return reply;
    } catch (error) {
      calls[index] = { method, url, error: error instanceof Error ? error.message : String(error) };
      throw error;
    }
  };

export function collect(options: CollectOptions): Collected {
  const { fetch, followDb, respond, trace, runTrace, logsPerRun } = options;
  const recorded = runTrace ? runTrace.follow(fetch) : fetch;
  const collected: Collected = {
    emits: [],
    db: new Map(),
    dataStores: new CallDataStores(options.dataStores),
    logs: createLastLogs(logsPerRun),
    response: undefined,
    step: undefined,
    host: {
      restart() {
        collected.emits.length = 0;
        collected.logs.clear();
        collected.db.clear();
        void collected.dataStores.end(false);
        collected.dataStores = new CallDataStores(options.dataStores);
        collected.step = undefined;
        if (trace) trace.steps.length = 0;
        runTrace?.restart();
      },
      emit: (emit) => void collected.emits.push(emit),
      dbSet: (key, value) => void collected.db.set(key, value),
      dataStore: (call) => collected.dataStores.answer(call),
      log: (log) => collected.logs.add(log),
      step(name) {
        collected.step = name;
        trace?.steps.push(name);
        runTrace?.step(name);
      },
      respond(response) {
        // The response is sent at once; a restart does not take it back.
        if (collected.response) return;
        collected.response = response;
        respond?.(response);
      },
      ...(followDb && { followDb }),
      fetch: trace ? traced(recorded, trace.calls) : recorded,
    },
  };
  return collected;
}
