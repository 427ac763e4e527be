import type { Holder } from "./assignment.ts";

/** Time between two steps, in ms. */
const stepMs = 100;
/** The longest handover, in steps. */
const maxSteps = 20;

/** What goes now, and how long the rest waits, in ms. */
export interface HandoverStep {
  readonly slots: readonly number[];
  /** Undefined: there is no rest. */
  readonly waitMs: number | undefined;
}

/** What is known of slots that go to other nodes. */
export interface HandoverRules {
  /** Those whose sources have run lately. */
  usedSlots(): ReadonlySet<number>;
  /** The node to which each slot is assigned. */
  readonly targets: readonly Holder[];
  /** True when the node has been there for a while. */
  isReady(nodeId: string): boolean;
}

/** Divides the slots that go to other nodes into steps. */
export interface Handover {
  /** `now` in ms. */
  next(leaving: readonly number[], rules: HandoverRules, now: number): HandoverStep;
}

/**
 * A node that has just begun computes the first run of each source slowly, and one after the other: sources that all came at
 * once would wait for each other. So those that run go to it in steps, when it has answered requests for a while, and the
 * others run here meanwhile.
 */
export function createHandover(): Handover {
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
      // A slot that is assigned to no node does not wait.
      const busy = leaving.filter((slot) => used.has(slot) && targetOf(slot) !== null);
      const waiting = new Set(busy);
      size = Math.max(size, Math.ceil(busy.length / maxSteps));
      const wait = Math.max(0, at + stepMs - now);
      const going = new Set(wait > 0 ? [] : busy.filter((slot) => isReady(targetOf(slot) ?? "")).slice(0, size));
      if (going.size > 0) at = now;
      return {
        slots: leaving.filter((slot) => !waiting.has(slot) || going.has(slot)),
        waitMs: going.size === busy.length ? undefined : wait || stepMs,
      };
    },
  };
}
