/** A line of the log of a service, printed as JSON. */
export interface HoldLine {
  readonly message: "the main thread was held";
  readonly work: string;
  readonly source?: string;
  readonly duration_ms: number;
}

/**
 * From this many ms on, tests fail. On a busy machine, work takes up to four times as long of a processor, whose caches and
 * memory others use; soaks, which have a machine of their own, fail for every line, from 250 ms on.
 */
export const certainMs = 1_000;

/** The lines of a log in which something held the main thread, by the processor time of that thread. */
export const holdLines = (log: string): readonly HoldLine[] =>
  log
    .split("\n")
    .filter((line) => line.includes('"the main thread was held"'))
    .map((line) => JSON.parse(line) as HoldLine);

const isUncertain = (line: string): boolean =>
  line.includes("the main thread was held") && Number(/\bduration_ms"?: ?(\d+)/.exec(line)?.[1]) < certainMs;

/** What a command printed, as JSON or for people, without the lines for which tests do not fail. */
export const withoutHolds = (printed: string): string =>
  printed.replace(/^.+(?:\n|$)/gm, (line) => (isUncertain(line) ? "" : line));

/** Such a line in words. */
export const describeHold = ({ work, source, duration_ms: ms }: HoldLine): string =>
  `the main thread was held for ${ms} ms by ${work}${source === undefined ? "" : ` of ${source}`}`;
