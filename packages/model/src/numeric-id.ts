/** An id as a number. Ids of one number have one key. */
export interface NumericId {
  /** Integers of any size exactly. */
  readonly value: bigint | number;
  readonly key: string;
}

/** Longer ids are no numbers: conversion takes quadratic time. */
const maxChars = 1_000;
const decimal = /^[\t\n\f\r ]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[\t\n\f\r ]*$/i;
const integer = /^[+-]?\d+$/;

/** The text of an integer without what does not count: writing a long one anew takes quadratic time. */
function plainInteger(text: string): string {
  const digits = text.replace(/^[+-]?0*/, "");
  return digits === "" ? "0" : text.startsWith("-") ? `-${digits}` : digits;
}

/**
 * Reads the id of an event under `dedupe: "greatest"`: a finite decimal number, which may have ASCII white space around
 * it. Undefined for all else.
 */
export function numericId(id: string): NumericId | undefined {
  const text = id.length > maxChars ? undefined : decimal.exec(id)?.[1];
  if (text === undefined) return undefined;
  if (integer.test(text)) {
    const key = plainInteger(text);
    return { value: BigInt(key), key };
  }
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  // 5 and 5.0 are the same id.
  const value = Number.isInteger(number) ? BigInt(number) : number;
  return { value, key: String(value) };
}
