import type { Kit } from "../kit.ts";

interface MarkOptions {
  readonly startTime?: number;
  readonly detail?: unknown;
}
interface MeasureOptions {
  readonly start?: number | string;
  readonly end?: number | string;
  readonly duration?: number;
  readonly detail?: unknown;
}

declare const performance: { now(): number };

/** User Timing: entries stay for the realm's lifetime; there are no observers. */
export function createPerformance(kit: Kit): { classes: Record<string, unknown>; methods: Record<string, unknown> } {
  class PerformanceEntry {
    readonly name: string;
    readonly entryType: string;
    readonly startTime: number;
    readonly duration: number;
    readonly detail: unknown;
    constructor(name: string, entryType: string, startTime: number, duration: number, detail: unknown) {
      this.name = name;
      this.entryType = entryType;
      this.startTime = startTime;
      this.duration = duration;
      this.detail = detail;
    }
    toJSON(): object {
      const { name, entryType, startTime, duration, detail } = this;
      return { name, entryType, startTime, duration, detail };
    }
  }
  class PerformanceMark extends PerformanceEntry {
    constructor(name: unknown, options: MarkOptions = {}) {
      const detail = options.detail === undefined ? null : kit.structuredClone(options.detail);
      super(String(name), "mark", options.startTime ?? performance.now(), 0, detail);
    }
  }
  class PerformanceMeasure extends PerformanceEntry {}

  let entries: PerformanceEntry[] = [];
  const timeOf = (mark: number | string): number => {
    if (typeof mark === "number") return mark;
    const found = entries.findLast(({ name, entryType }) => entryType === "mark" && name === String(mark));
    if (!found) throw new kit.DOMException(`The "${String(mark)}" performance mark has not been set`, "SyntaxError");
    return found.startTime;
  };
  const clear =
    (type: string) =>
    (given?: unknown): void => {
      entries = entries.filter(
        ({ name, entryType }) => entryType !== type || (given !== undefined && name !== String(given)),
      );
    };
  const sorted = (): PerformanceEntry[] => [...entries].sort((first, second) => first.startTime - second.startTime);

  const methods = {
    clearMarks: clear("mark"),
    clearMeasures: clear("measure"),
    clearResourceTimings: (): void => undefined,
    getEntries: sorted,
    getEntriesByName: (given: unknown, type?: unknown): PerformanceEntry[] =>
      sorted().filter(({ name, entryType }) => name === String(given) && (type === undefined || entryType === type)),
    getEntriesByType: (type: unknown): PerformanceEntry[] => sorted().filter(({ entryType }) => entryType === type),
    mark(name: unknown, options?: MarkOptions): PerformanceEntry {
      const mark = new PerformanceMark(name, options);
      entries.push(mark);
      return mark;
    },
    measure(name: unknown, from?: string | MeasureOptions, until?: string): PerformanceEntry {
      const options: MeasureOptions =
        typeof from === "object"
          ? from
          : { ...(from !== undefined && { start: from }), ...(until !== undefined && { end: until }) };
      const { duration } = options;
      const end =
        options.end === undefined
          ? options.start !== undefined && duration !== undefined
            ? timeOf(options.start) + duration
            : performance.now()
          : timeOf(options.end);
      const start = options.start === undefined ? (duration === undefined ? 0 : end - duration) : timeOf(options.start);
      const measure = new PerformanceMeasure(String(name), "measure", start, end - start, options.detail ?? null);
      entries.push(measure);
      return measure;
    },
    setResourceTimingBufferSize: (): void => undefined,
    timerify: <Run>(run: Run): Run => run,
  };
  return { classes: { PerformanceEntry, PerformanceMark, PerformanceMeasure }, methods };
}
