import { defaults, type Limits } from "@x/model";
import { closedError, closedOutcome } from "../closed.ts";
import type { CallHost, Description, Outcome, Sandbox, SandboxCall } from "../contract.ts";
import { type EngineFiles, requireEngineFiles } from "../machine/engine-files.ts";
import { createImageCache } from "../machine/image-cache.ts";
import { packedSize } from "../machine/packed-image.ts";
import { Flight } from "./flight.ts";
import { RunningCall } from "./running-call.ts";
import { RunningDescription } from "./running-description.ts";
import { Scheduler } from "./scheduler.ts";

export interface PoolOptions {
  /** Number of threads without load; default: cores - 1, at least 1. */
  readonly workers?: number | undefined;
  readonly limits: Limits;
  /** Another engine or prelude, for tests. */
  readonly files?: EngineFiles;
  /** Gets the counters of instrumented bundles as JSON text, after each module and call that ran. */
  readonly counted?: ((counters: string) => void) | undefined;
}

const imageBytes = 192 * 1024 * 1024;

/** Creates a sandbox that runs components in worker threads. */
export function createPool({ limits, workers, files, counted }: PoolOptions): Sandbox {
  requireEngineFiles();
  const scheduler = new Scheduler({
    workers,
    boot: {
      ...(files && { files }),
      ...(limits.memoryBytes !== defaults.memoryBytes && { memoryBytes: limits.memoryBytes }),
    },
    data: { rules: limits, instrumented: counted !== undefined },
    images: createImageCache(imageBytes, packedSize),
    counted,
  });
  let calls = 0;
  const flight = new Flight(limits.fetchBytesInFlight);
  return {
    warm: () => scheduler.warm(),
    describe: (bundle, callLimits) =>
      new Promise<Description>((resolve) => {
        if (scheduler.isClosing) resolve({ ok: false, error: closedError });
        else scheduler.add(new RunningDescription(bundle, callLimits, resolve));
      }),
    call: (call: SandboxCall, host: CallHost, signal?: AbortSignal) =>
      new Promise<Outcome>((resolve) => {
        if (scheduler.isClosing || signal?.aborted) {
          resolve(closedOutcome());
          return;
        }
        calls += 1;
        const running = new RunningCall(call, host, flight, (outcome) => {
          signal?.removeEventListener("abort", cancel);
          resolve(outcome);
        });
        const cancel = (): void => scheduler.cancel(running);
        signal?.addEventListener("abort", cancel);
        scheduler.add(running);
      }),
    stats: () => ({ calls, ...scheduler.stats() }),
    close: () => scheduler.close(),
  };
}
