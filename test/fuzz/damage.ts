import { type Arbitrary, array, integer, record } from "fast-check";

/** Replaces some bytes. */
export interface Damage {
  readonly at: number;
  readonly length: number;
  /** What comes in their place, as text in an encoding that each fuzzer has for itself. */
  readonly by: string;
}

export interface DamageRange {
  readonly maxAt: number;
  readonly maxLength: number;
}

/** One to `most` damages. */
export const someDamage = (
  by: Arbitrary<string>,
  { maxAt, maxLength }: DamageRange,
  most: number,
): Arbitrary<Damage[]> =>
  array(
    record(
      { at: integer({ min: 0, max: maxAt }), length: integer({ min: 0, max: maxLength }), by },
      { noNullPrototype: true },
    ),
    { minLength: 1, maxLength: most },
  );

/** The bytes after one damage after another. */
export function damaged(bytes: Buffer, damages: readonly Damage[], encoding: BufferEncoding): Buffer {
  return damages.reduce((soFar, { at, length, by }) => {
    const from = at % (soFar.length + 1);
    return Buffer.concat([soFar.subarray(0, from), Buffer.from(by, encoding), soFar.subarray(from + length)]);
  }, bytes);
}
