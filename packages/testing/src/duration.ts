import { HarnessError } from "./harness-error.ts";

/** Milliseconds, or text such as `500ms`, `3m`, `1h 30m`, `2d`. */
export type Duration = number | string;

const unitsMs: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const whole = /^\s*(?:\d+(?:\.\d+)?\s*(?:ms|[smhdw])\s*)+$/;
const part = /(\d+(?:\.\d+)?)\s*(ms|[smhdw])/g;

/** A duration in milliseconds. Throws for what is none, and for what would move time back. */
export function parseDuration(given: Duration): number {
  const ms = typeof given === "number" ? given : parseText(given);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new HarnessError(
    `A duration is milliseconds or text such as "500ms", "3m", "1h 30m" or "2d", got ${JSON.stringify(given)}.`,
  );
}

function parseText(text: string): number {
  if (!whole.test(text)) return Number.NaN;
  let sum = 0;
  for (const [, amount, unit = ""] of text.matchAll(part)) sum += Number(amount) * (unitsMs[unit] ?? Number.NaN);
  return Math.round(sum);
}
