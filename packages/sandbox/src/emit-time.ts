/** In seconds from 1973 to 5138, in milliseconds the first years after 1970. Smaller numbers only order the events of a run. */
const seconds = { from: 1e8, before: 1e11 };

/** The `ts` of an emit. */
export interface EmitTime {
  /** Epoch ms; undefined for what is no time. */
  readonly ms: number | undefined;
  /** Given as a number that is meant in seconds. */
  readonly seemsSeconds: boolean;
}

/** Reads the time of an event: a number or its text, a Date, or a date text. */
export function readEmitTime(ts: unknown): EmitTime {
  let ms = Number.NaN;
  let isNumber = false;
  if (ts instanceof Date) ms = ts.getTime();
  else if (typeof ts === "number" || (typeof ts === "string" && ts.trim() !== "")) {
    isNumber = !Number.isNaN(Number(ts));
    ms = isNumber ? Number(ts) : Date.parse(String(ts));
  }
  if (!Number.isFinite(ms)) return { ms: undefined, seemsSeconds: false };
  return { ms, seemsSeconds: isNumber && ms >= seconds.from && ms < seconds.before };
}

/** The warning of a time that seems to be in seconds. */
export const secondsWarning = (ts: unknown): string =>
  `$emit: ts ${String(ts)} seems to be in seconds: in milliseconds it is ${new Date(Number(ts)).toISOString()}; multiply it by 1,000, or give a Date`;
