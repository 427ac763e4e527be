import type { Logger } from "@x/model";

/** How often the thread is checked, in ms. */
export const checkMs = 100;
/** From this many ms at a stretch on the thread is held. */
const heldMs = 250;
/** Checks without new work after which an idle process is not woken any more: each wakes the thread. */
const idleChecks = 2;

export interface ThreadHoldsParts {
  readonly logger: Logger;
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds of the thread's processor. */
  used(): number;
}

/** Notices when one piece of work held the main thread, so that nothing else ran. */
export interface ThreadHolds {
  /** Names the work that begins. It costs a reading of the clock. */
  begin(work: string, sourceId?: string): void;
  /** To be called every `checkMs`; late, when the thread was held. */
  check(): void;
  /** Checks while there is work. `repeat` has the check called every `checkMs`, and returns what ends that. Returns what ends the watch. */
  watch(repeat: (check: () => void) => () => void): () => void;
  /** How many times it was held. */
  readonly count: number;
}

interface Work {
  readonly name: string;
  readonly sourceId: string | undefined;
}

const starting: Work = { name: "start", sourceId: undefined };

/** A stretch counts when the thread used its processor meanwhile: it is no hold when the process was paused, or others were busy. */
export function createThreadHolds({ logger, now, used }: ThreadHoldsParts): ThreadHolds {
  let work = starting;
  let since = now();
  let longest = { work, ms: 0 };
  let last = { at: since, used: used() };
  let count = 0;
  let withoutWork = 0;
  /** Begins to check; undefined while nobody watches, or the checks go on. */
  let wake: (() => void) | undefined;

  function end(at: number): void {
    if (at - since > longest.ms) longest = { work, ms: at - since };
    since = at;
  }

  function check(): void {
    const current = { at: now(), used: used() };
    end(current.at);
    const ms = Math.min(current.at - last.at - checkMs, current.used - last.used);
    if (ms >= heldMs) {
      count += 1;
      const { name, sourceId } = longest.work;
      const source = sourceId === undefined ? {} : { source: sourceId };
      logger.warn("the main thread was held", { work: name, ...source, duration_ms: Math.round(ms) });
    }
    longest = { work, ms: 0 };
    last = current;
    withoutWork += 1;
  }

  return {
    begin(name, sourceId) {
      wake?.();
      withoutWork = 0;
      end(now());
      work = { name, sourceId };
    },
    check,
    watch(repeat) {
      let stop = (): void => undefined;
      const sleep = (): void => {
        stop();
        wake = rouse;
      };
      const rouse = (): void => {
        wake = undefined;
        since = now();
        last = { at: since, used: used() };
        longest = { work, ms: 0 };
        stop = repeat(() => {
          check();
          if (withoutWork >= idleChecks) sleep();
        });
      };
      rouse();
      return () => {
        stop();
        wake = undefined;
      };
    },
    get count() {
      return count;
    },
  };
}
