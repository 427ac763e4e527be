import { LRUCache } from "lru-cache";

import type { Limits } from "../options.ts";
import { closedError, closedOutcome } from "./closed.ts";
import type { Sandbox } from "./contract.ts";
import { readCounters } from "./counters.ts";
import { readEngineFiles } from "./engine.ts";
import { type Evaluated, evaluate, type EvaluationOrder } from "./evaluation.ts";
import { GuestCall } from "./guest-call.ts";
import type { GuestMachine } from "./guest-machine.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { CallEnd, FromWorker } from "./messages.ts";
import { isDebugged, nodeMachines } from "./node-machine.ts";
import { RunningCall } from "./running-call.ts";

export interface NodeSandboxOptions {
  readonly limits: Limits;
  /** Bundles are instrumented: told what they have counted, as JSON text, after each module and call that ran. */
  readonly counted?: ((counters: string) => void) | undefined;
}

const mostWarm = 100;
/** Beyond what any timer waits for. */
const never = 2 ** 40;
/** Time of another call beyond which a deadline moves. */
const hogMs = 50;

/** Nobody watches a thread that cannot be ended. */
const unwatched: Heartbeat = {
  enter: () => undefined,
  leave: () => undefined,
  read: () => ({ callId: 0, enteredAt: 0, deadline: 0 }),
};

const limitMs = (timeoutMs: number): number => (isDebugged() ? never : timeoutMs);

function failedEnd({ name, message, stack }: NonNullable<Evaluated["error"]>): CallEnd {
  const error = { code: "component_threw", name, message, stack };
  return { status: "error", error, durationMs: 0, computeMs: 0, memoryBytes: 0 };
}

/**
 * Runs component code in this thread, in realms of Node: for debuggers. The guest's own code and the handling of calls are
 * the sandbox's; the wall is not there. Deadlines do not hold while Node's inspector is open.
 */
export function createNodeSandbox({ limits, counted }: NodeSandboxOptions): Sandbox {
  const makeMachine = nodeMachines(readEngineFiles());
  const warm = new LRUCache<string, GuestMachine>({ max: mostWarm });
  const waiting = new Set<RunningCall>();
  const begun = new Map<RunningCall, GuestCall>();
  let lastId = 0;
  let closed = false;

  const tellCounters = (machine: GuestMachine, restart: boolean): void => {
    const counters = counted && readCounters(machine, restart);
    if (counters !== undefined) counted?.(counters);
  };
  const evaluateIn = (machine: GuestMachine, order: Omit<EvaluationOrder, "callId">): Evaluated =>
    evaluate(machine, unwatched, { ...order, callId: 0, timeoutMs: limitMs(order.timeoutMs) });

  function start(running: RunningCall): void {
    if (!waiting.delete(running)) return;
    const { call } = running;
    const owner = `${call.sourceId} ${call.bundle.hash}`;
    const kept = call.warm ? warm.get(owner) : undefined;
    if (kept) warm.delete(owner);
    const machine = kept ?? makeMachine();
    if (!kept) {
      const { code } = call.bundle;
      const { error } = evaluateIn(machine, { code, timeoutMs: call.limits.timeoutMs, describe: false });
      if (error) {
        running.end(failedEnd(error));
        return;
      }
    }
    const receive = (message: FromWorker): void =>
      running.receive(message, (answer) => {
        if (answer.k !== "reply") return;
        const { fetchId, reply, error } = answer;
        guest.settle(fetchId, reply && { ...reply, body: undefined }, reply?.body, error);
      });
    const order = running.order();
    const guest = new GuestCall(
      { ...order, limits: { ...order.limits, timeoutMs: limitMs(order.limits.timeoutMs) } },
      machine,
      unwatched,
      {
        effect: (effect) => receive({ ...effect, seq: 0 }),
        post: receive,
        flush: () => undefined,
        left: (left) => tellCounters(left, true),
        ended(end, clean) {
          begun.delete(running);
          if (clean && call.warm) warm.set(owner, machine);
          running.end(end);
        },
        busy(busyCall, ms) {
          if (ms >= hogMs) for (const other of begun.values()) if (other !== busyCall) other.extend(ms);
        },
      },
      { ...limits, dedupe: order.dedupe },
    );
    begun.set(running, guest);
    guest.start();
  }

  function leave(running: RunningCall): void {
    if (!waiting.delete(running) && !begun.has(running)) return;
    begun.get(running)?.drop();
    begun.delete(running);
    running.end(closedOutcome());
  }

  return {
    warm: () => undefined,
    describe(bundle, { timeoutMs }) {
      if (closed) return Promise.resolve({ ok: false, error: closedError });
      const machine = makeMachine();
      const { error, json } = evaluateIn(machine, { code: bundle.code, timeoutMs, describe: true });
      tellCounters(machine, false);
      if (error) return Promise.resolve({ ok: false, error: { code: "component_threw", ...error } });
      return Promise.resolve({ ok: true, json: json ?? "null" });
    },
    call: (call, host, signal) =>
      new Promise((resolve) => {
        if (closed || signal?.aborted) {
          resolve(closedOutcome());
          return;
        }
        const running = new RunningCall(call, host, (outcome) => {
          signal?.removeEventListener("abort", abort);
          resolve(outcome);
        });
        const abort = (): void => leave(running);
        signal?.addEventListener("abort", abort);
        running.id = ++lastId;
        waiting.add(running);
        // With a stack of its own, which is what a debugger shows.
        setImmediate(() => start(running));
      }),
    close() {
      closed = true;
      for (const running of [...waiting, ...begun.keys()]) leave(running);
      return Promise.resolve();
    },
  };
}
