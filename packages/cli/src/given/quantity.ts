import { UsageError } from "./usage-error.ts";

const milliseconds: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);
const bytes: ReadonlyMap<string, number> = new Map([
  ["b", 1],
  ["kb", 1024],
  ["mb", 1024 ** 2],
  ["gb", 1024 ** 3],
]);

function parseQuantity(flag: string, text: string, units: ReadonlyMap<string, number>, examples: string): number {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)([a-z]+)$/i.exec(text) ?? [];
  const value = Math.round(Number(count) * (units.get(unit.toLowerCase()) ?? Number.NaN));
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new UsageError(`--${flag} must be like ${examples}, got "${text}"`);
}

/** `250ms`, `2s`, `5m`, `1h` in milliseconds. */
export const parseDuration = (flag: string, text: string): number =>
  parseQuantity(flag, text, milliseconds, "250ms, 2s, 5m or 1h");

/** `512kb`, `64mb`, `1gb` in bytes. */
export const parseSize = (flag: string, text: string): number => parseQuantity(flag, text, bytes, "512kb, 64mb or 1gb");

/** A whole number within bounds. */
export function parseInteger(flag: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${flag} must be a whole number from ${least} to ${most}, got "${text}"`);
}

/** One of a few words. */
export function parseChoice<const Choice extends string>(
  flag: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${flag} must be ${choices.join(" or ")}, got "${text}"`);
}
