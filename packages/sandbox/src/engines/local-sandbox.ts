import { performance } from "node:perf_hooks";

import { guestError, type Limits } from "@x/model";
import { closedError, closedOutcome } from "../closed.ts";
import type { CallLimits, Description, Sandbox } from "../contract.ts";
import { readCounters } from "../thread/counters.ts";
import { GuestCall } from "../thread/guest-call.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { captureImage } from "../machine/image.ts";
import { unwatched } from "../thread/heartbeat.ts";
import type { CallEnd, SandboxCallMessage, FromWorker } from "../thread/messages.ts";
import type { CachedModule, ModuleMachines, OpenedModule } from "../thread/module-machines.ts";
import { Flight } from "../pool/flight.ts";
import { RunningCall } from "../pool/running-call.ts";

export interface LocalSandboxOptions {
  readonly limits: Limits;
  /** Gets the counters of instrumented bundles as JSON text, after each module and call that ran. */
  readonly counted?: ((counters: string) => void) | undefined;
}

export interface LocalSandboxParts extends LocalSandboxOptions {
  /** Called when the machines are first needed. */
  machines(described: (machine: GuestMachine) => void): Promise<ModuleMachines>;
  /** Images of modules, by the hash of the bundle. */
  readonly images: {
    get(hash: string): CachedModule["image"];
    set(hash: string, image: CachedModule["image"]): unknown;
  };
  /** The time limit that holds for a call with this limit, in ms. */
  readonly limitMs: (timeoutMs: number) => number;
}

interface Begun {
  readonly guest: GuestCall;
  readonly opened: OpenedModule;
}

/** Other calls, their modules and the program around the sandbox share its thread. */
const threadBusyMs = (): number => performance.eventLoopUtilization().active;

function crashed(entry: string, problem: unknown): CallEnd {
  const error = guestError("sandbox_crashed", entry, problem instanceof Error ? problem.message : String(problem));
  return { status: "error", error, durationMs: 0, computeMs: 0, memoryBytes: 0 };
}

/** The calls of a sandbox that runs them in its own thread. */
class LocalCalls {
  readonly #parts: LocalSandboxParts;
  readonly #waiting = new Set<RunningCall>();
  readonly #begun = new Map<RunningCall, Begun>();
  #machines: Promise<ModuleMachines> | undefined;
  #imageMisses = 0;

  constructor(parts: LocalSandboxParts) {
    this.#parts = parts;
  }

  get imageMisses(): number {
    return this.#imageMisses;
  }

  /** Reports counters without a restart: every call starts from the evaluated module, whose counts belong to it. */
  machines(): Promise<ModuleMachines> {
    return (this.#machines ??= this.#parts.machines((machine) => this.#reportCounters(machine, false)));
  }

  limit({ timeoutMs, memoryBytes }: CallLimits): CallLimits {
    return { timeoutMs: this.#parts.limitMs(timeoutMs), memoryBytes };
  }

  add(running: RunningCall): void {
    this.#waiting.add(running);
    const begin = (): void =>
      void this.#start(running).catch((error: unknown) => {
        if (this.#waiting.delete(running) || this.#begun.delete(running))
          running.end(crashed(running.call.entry, error));
      });
    // In a later turn: debuggers show a stack of its own, and other work of this thread gets its turn.
    setImmediate(begin);
  }

  /** Ends a call as closed. */
  cancel(running: RunningCall): void {
    const inside = this.#begun.get(running);
    if (!this.#waiting.delete(running) && !inside) return;
    this.#begun.delete(running);
    inside?.guest.drop();
    inside?.opened.close(false, false);
    running.end(closedOutcome());
  }

  close(): void {
    for (const running of [...this.#waiting, ...this.#begun.keys()]) this.cancel(running);
  }

  #reportCounters(machine: GuestMachine, restart: boolean): void {
    const { counted } = this.#parts;
    const counters = counted && readCounters(machine, restart);
    if (counters !== undefined) counted?.(counters);
  }

  async #start(running: RunningCall): Promise<void> {
    if (!this.#waiting.has(running)) return;
    const { images } = this.#parts;
    const { bundle, limits } = running.call;
    const message = { ...running.message(), limits: this.limit(limits) };
    const machines = await this.machines();
    const opened = await machines.open(message, { code: bundle.code, image: images.get(bundle.hash) });
    if ("end" in opened) {
      if (this.#waiting.delete(running)) running.end(opened.end);
      return;
    }
    if (opened.image) {
      this.#imageMisses += 1;
      images.set(bundle.hash, opened.image);
    }
    if (this.#waiting.delete(running)) this.#run(running, message, opened);
    else opened.close(true, false);
  }

  #run(running: RunningCall, message: SandboxCallMessage, opened: OpenedModule): void {
    const receive = (posted: FromWorker): void =>
      running.receive(posted, (answer) => {
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
        left: (machine) => this.#reportCounters(machine, true),
        ended: (end, clean) => {
          this.#begun.delete(running);
          opened.close(clean, true);
          running.end(end);
        },
        busyMs: threadBusyMs,
      },
      { ...this.#parts.limits, dedupe: message.dedupe },
      { code: running.call.bundle.code, spentMs: opened.spentMs },
    );
    this.#begun.set(running, { guest, opened });
    guest.start();
    running.posted((message) => {
      if (message.k === "dbChanged") guest.changeDb(message.changes);
    });
  }
}

/** Creates a sandbox that runs components in this thread, with the guest's code and the call handling of worker threads. */
export function createLocalSandbox(parts: LocalSandboxParts): Sandbox {
  const calls = new LocalCalls(parts);
  const flight = new Flight(parts.limits.fetchBytesInFlight);
  let lastId = 0;
  let isClosed = false;

  return {
    // The calls report why it does not start.
    warm: () => void calls.machines().catch(() => undefined),
    async describe(bundle, limits): Promise<Description> {
      if (isClosed) return { ok: false, error: closedError };
      const machines = await calls.machines();
      const { json, error, capture } = await machines.describe(
        0,
        bundle.code,
        { ...limits, ...calls.limit(limits) },
        captureImage,
      );
      const image = capture();
      if (image) parts.images.set(bundle.hash, image);
      return error ? { ok: false, error } : { ok: true, json: json ?? "null" };
    },
    call: (call, host, signal) =>
      new Promise((resolve) => {
        if (isClosed || signal?.aborted) {
          resolve(closedOutcome());
          return;
        }
        const running = new RunningCall(call, host, flight, (outcome) => {
          signal?.removeEventListener("abort", cancel);
          resolve(outcome);
        });
        const cancel = (): void => calls.cancel(running);
        signal?.addEventListener("abort", cancel);
        running.id = ++lastId;
        calls.add(running);
      }),
    stats: () => ({ calls: lastId, imageMisses: calls.imageMisses, threads: 0, threadStarts: 0, threadKills: 0 }),
    close() {
      isClosed = true;
      calls.close();
      return Promise.resolve();
    },
  };
}
