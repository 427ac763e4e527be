import { guestError } from "../../model/error-catalogue/guest-error.ts";
import type { Limits } from "../../api/options.ts";
import { closedError, closedOutcome } from "../closed.ts";
import type { CallLimits, Description, Sandbox } from "../contract.ts";
import { readCounters } from "../thread/counters.ts";
import { GuestCall } from "../thread/guest-call.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { unwatched } from "../thread/heartbeat.ts";
import type { CallEnd, FromWorker } from "../thread/messages.ts";
import type { KnownModule, ModuleMachines, OpenedModule } from "../thread/module-machines.ts";
import { Flight } from "../pool/flight.ts";
import { RunningCall } from "../pool/running-call.ts";
import { extendOthers } from "../thread/shared-thread.ts";

export interface LocalSandboxOptions {
  readonly limits: Limits;
  /** Bundles are instrumented: told what they have counted, as JSON text, after each module and call that ran. */
  readonly counted?: ((counters: string) => void) | undefined;
}

export interface LocalSandboxParts extends LocalSandboxOptions {
  /** Asked for when they are first needed. */
  machines(described: (machine: GuestMachine) => void): Promise<ModuleMachines>;
  /** What is known of a module beside its text. */
  readonly images: { get(hash: string): KnownModule["image"]; set(hash: string, image: KnownModule["image"]): unknown };
  /** The time that a call really gets. */
  readonly limitMs: (timeoutMs: number) => number;
}

interface Begun {
  readonly guest: GuestCall;
  readonly opened: OpenedModule;
}

function crashed(entry: string, problem: unknown): CallEnd {
  const error = guestError("sandbox_crashed", entry, problem instanceof Error ? problem.message : String(problem));
  return { status: "error", error, durationMs: 0, computeMs: 0, memoryBytes: 0 };
}

/** Runs component code in this very thread: the guest's own code and the handling of calls are those of the sandbox's threads. */
export function createLocalSandbox(parts: LocalSandboxParts): Sandbox {
  const { limits, counted, images, limitMs } = parts;
  const waiting = new Set<RunningCall>();
  const begun = new Map<RunningCall, Begun>();
  const flight = new Flight(limits.fetchBytesInFlight);
  let loading: Promise<ModuleMachines> | undefined;
  let lastId = 0;
  let closed = false;

  const tellCounters = (machine: GuestMachine, restart: boolean): void => {
    const counters = counted && readCounters(machine, restart);
    if (counters !== undefined) counted?.(counters);
  };
  // Every call starts from what evaluating the module has left, counters included: they are not begun anew.
  const machines = (): Promise<ModuleMachines> =>
    (loading ??= parts.machines((machine) => tellCounters(machine, false)));
  const allow = ({ timeoutMs, memoryBytes }: CallLimits): CallLimits => ({
    timeoutMs: limitMs(timeoutMs),
    memoryBytes,
  });

  async function start(running: RunningCall): Promise<void> {
    if (!waiting.has(running)) return;
    const { bundle } = running.call;
    const message = { ...running.message(), limits: allow(running.call.limits) };
    const opened = await (await machines()).open(message, { code: bundle.code, image: images.get(bundle.hash) });
    if ("end" in opened) {
      if (waiting.delete(running)) running.end(opened.end);
      return;
    }
    if (opened.image) images.set(bundle.hash, opened.image);
    if (waiting.delete(running)) run(running, message, opened);
    else opened.close(true, false);
  }

  function run(running: RunningCall, message: ReturnType<RunningCall["message"]>, opened: OpenedModule): void {
    const receive = (message: FromWorker): void =>
      running.receive(message, (answer) => {
        if (answer.k === "released") guest.fetches.released(answer.fetchId);
        if (answer.k !== "reply") return;
        const { fetchId, reply, error } = answer;
        guest.settle(fetchId, reply && { ...reply, body: undefined }, reply?.body, error);
      });
    const guest = new GuestCall(
      message,
      opened.machine,
      unwatched,
      {
        effect: (effect) => receive({ ...effect, seq: 0 }),
        post: receive,
        flush: () => undefined,
        left: (left) => tellCounters(left, true),
        ended(end, clean) {
          begun.delete(running);
          opened.close(clean, true);
          running.end(end);
        },
        busy: (busyCall, ms) =>
          extendOthers(
            [...begun.values()].map(({ guest: each }) => each),
            busyCall,
            ms,
          ),
      },
      { ...limits, dedupe: message.dedupe },
      { code: running.call.bundle.code, spentMs: opened.spentMs },
    );
    begun.set(running, { guest, opened });
    guest.start();
  }

  function leave(running: RunningCall): void {
    const inside = begun.get(running);
    if (!waiting.delete(running) && !inside) return;
    begun.delete(running);
    inside?.guest.drop();
    inside?.opened.close(false, false);
    running.end(closedOutcome());
  }

  return {
    warm: () => void machines(),
    async describe(bundle, callLimits): Promise<Description> {
      if (closed) return { ok: false, error: closedError };
      const { json, error, image } = await (
        await machines()
      ).describe(0, bundle.code, { ...callLimits, ...allow(callLimits) });
      if (image) images.set(bundle.hash, image);
      return error ? { ok: false, error } : { ok: true, json: json ?? "null" };
    },
    call: (call, host, signal) =>
      new Promise((resolve) => {
        if (closed || signal?.aborted) {
          resolve(closedOutcome());
          return;
        }
        const running = new RunningCall(call, host, flight, (outcome) => {
          signal?.removeEventListener("abort", abort);
          resolve(outcome);
        });
        const abort = (): void => leave(running);
        signal?.addEventListener("abort", abort);
        running.id = ++lastId;
        waiting.add(running);
        const begin = (): void =>
          void start(running).catch((error: unknown) => {
            if (waiting.delete(running) || begun.delete(running)) running.end(crashed(call.entry, error));
          });
        // With a stack of its own, which is what a debugger shows; and whatever else waits in this thread gets its turn.
        setImmediate(begin);
      }),
    close() {
      closed = true;
      for (const running of [...waiting, ...begun.keys()]) leave(running);
      return Promise.resolve();
    },
  };
}
