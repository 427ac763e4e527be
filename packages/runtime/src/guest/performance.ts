import { monotonicMs } from "./host.ts";
import { definePart } from "./parts.ts";

/** `performance.now()` counts from its first use in a call, not from when the image was made. */
let startMs: number | undefined;

function elapsedMs(): number {
  const now = monotonicMs();
  startMs ??= now;
  return now - startMs;
}

const entryMethods =
  "clearMarks,clearMeasures,clearResourceTimings,getEntries,getEntriesByName,getEntriesByType,mark,measure,setResourceTimingBufferSize,timerify";

/** `performance`: the clock is here, marks and measures are made when they are asked for. */
export function createPerformance(): object {
  const timeOrigin = (): number => Date.now() - elapsedMs();
  const performance = {
    now: elapsedMs,
    toJSON: () => ({ timeOrigin: timeOrigin() }),
    get timeOrigin() {
      return timeOrigin();
    },
  };
  definePart(performance, entryMethods, "rare", (given, name) => given.performance[name]);
  return Object.defineProperty(performance, Symbol.toStringTag, { value: "Performance", configurable: true });
}
