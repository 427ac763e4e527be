import { monotonicMs, systemClock } from "../../process/clock.ts";
import { suspectCrashes } from "./crash-limits.ts";
import { XError } from "../../model/errors.ts";
import type { TriggerHead } from "../../model/model.ts";

/** Whatever starts this process again gives up on one that ends again and again within seconds. */
const suspectMs = 5_000;
const mistrustMs = 30_000;

/** How long a trigger waits in a process that has been up for so long. Mistrusted: its source has had one abandoned. */
export function crashWait(crashes: number, isMistrusted: boolean, upMs: number): number {
  const until = isMistrusted ? mistrustMs : crashes >= suspectCrashes ? suspectMs : 0;
  return Math.max(0, until - upMs);
}

type Waiting = Pick<TriggerHead, "sourceId" | "crashes" | "type">;

/** Keeps what may end the process from doing so as soon as it is up: others are served in the meantime. */
export interface CrashWaits {
  waits(head: Waiting): boolean;
  /** A trigger of the source has been abandoned at this start. */
  mistrust(sourceId: string): void;
  /** Undefined: it may run now. Rejects with `closed`. */
  before(head: Waiting): Promise<void> | undefined;
  close(): void;
}

export function createCrashWaits(): CrashWaits {
  const startedAt = monotonicMs();
  const mistrusted = new Set<string>();
  const waiting = new Set<() => void>();
  // Who asks for a run by hand waits for nothing.
  const waitOf = ({ sourceId, crashes, type }: Waiting): number =>
    crashWait(crashes, type !== "MANUAL" && mistrusted.has(sourceId), monotonicMs() - startedAt);
  return {
    mistrust: (sourceId) => void mistrusted.add(sourceId),
    waits: (head) => waitOf(head) > 0,
    before(head) {
      const ms = waitOf(head);
      if (ms === 0) return undefined;
      return new Promise((resolve, reject) => {
        const end = (): void => {
          cancel();
          reject(new XError("closed", []));
        };
        const cancel = systemClock.wakeAt(systemClock.now() + ms, () => {
          waiting.delete(end);
          resolve();
        });
        waiting.add(end);
      });
    },
    close() {
      for (const end of waiting) end();
      waiting.clear();
    },
  };
}
