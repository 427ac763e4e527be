import { XError, monotonicMs, systemClock, type TriggerHead } from "@x/model";
import { isSuspect } from "./abandonment.ts";

/** Process managers stop restarting a process that ends repeatedly within seconds. */
const suspectMs = 5_000;
const sourceDelayMs = 30_000;

/**
 * Milliseconds that a trigger waits in a process that has been up for `upMs`. `isSourceDelayed`: another trigger of its source was
 * abandoned at this start.
 */
export function crashWait(crashes: number, isSourceDelayed: boolean, upMs: number): number {
  const until = isSourceDelayed ? sourceDelayMs : isSuspect(crashes) ? suspectMs : 0;
  return Math.max(0, until - upMs);
}

type Waiting = Pick<TriggerHead, "sourceId" | "crashes" | "type">;

/** Delays triggers that may crash the process, so that other triggers run first after a start. */
export interface CrashWaits {
  waits(head: Waiting): boolean;
  /** Call when a trigger of the source was abandoned at this start. */
  delaySource(sourceId: string): void;
  /** Resolves when the trigger may run; undefined: now. Rejects with `closed`. */
  before(head: Waiting): Promise<void> | undefined;
  /** Rejects what waits: all, or what waits for these sources. */
  end(has?: (sourceId: string) => boolean): void;
}

export function createCrashWaits(): CrashWaits {
  const startedAt = monotonicMs();
  const delayedSources = new Set<string>();
  const waiting = new Map<() => void, string>();
  // A manual run does not wait for the sake of its source.
  const waitOf = ({ sourceId, crashes, type }: Waiting): number =>
    crashWait(crashes, type !== "MANUAL" && delayedSources.has(sourceId), monotonicMs() - startedAt);
  return {
    delaySource: (sourceId) => void delayedSources.add(sourceId),
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
        waiting.set(end, head.sourceId);
      });
    },
    end(has = () => true) {
      for (const [end, sourceId] of waiting) {
        if (!has(sourceId)) continue;
        waiting.delete(end);
        end();
      }
    },
  };
}
