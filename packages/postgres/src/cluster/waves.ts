import type { Holder } from "./assignment.ts";

/** How long one wave has before the next one, in ms. */
const waveMs = 100;
/** The longest move, in waves. */
const mostWaves = 20;

/** What goes now, and how long the rest waits, in ms. */
export interface Wave {
  readonly slots: readonly number[];
  /** Undefined: there is no rest. */
  readonly waitMs: number | undefined;
}

/** What is known of slots that go to other nodes. */
export interface WaveRules {
  /** Those whose sources have run lately. */
  usedSlots(): ReadonlySet<number>;
  /** The node that shall have each slot. */
  readonly targets: readonly Holder[];
  /** True when the node has been there for a while. */
  isReady(nodeId: string): boolean;
}

/** Divides what goes to other nodes. */
export interface Waves {
  /** `now` in ms. */
  next(leaving: readonly number[], rules: WaveRules, now: number): Wave;
}

/**
 * A node that has just begun computes the first run of each source slowly, and one after the other: sources that all came at
 * once would wait for each other. So those that run go to it in waves, when it has answered requests for a while, and the
 * others run here meanwhile.
 */
export function createWaves(): Waves {
  let size = 1;
  let at = Number.NEGATIVE_INFINITY;
  return {
    next(leaving, { usedSlots, targets, isReady }, now) {
      if (leaving.length === 0) {
        size = 1;
        return { slots: leaving, waitMs: undefined };
      }
      const used = usedSlots();
      const targetOf = (slot: number): Holder => targets[slot] ?? null;
      // What nobody shall have waits for nobody.
      const busy = leaving.filter((slot) => used.has(slot) && targetOf(slot) !== null);
      const waiting = new Set(busy);
      size = Math.max(size, Math.ceil(busy.length / mostWaves));
      const wait = Math.max(0, at + waveMs - now);
      const going = new Set(wait > 0 ? [] : busy.filter((slot) => isReady(targetOf(slot) ?? "")).slice(0, size));
      if (going.size > 0) at = now;
      return {
        slots: leaving.filter((slot) => !waiting.has(slot) || going.has(slot)),
        waitMs: going.size === busy.length ? undefined : wait || waveMs,
      };
    },
  };
}
