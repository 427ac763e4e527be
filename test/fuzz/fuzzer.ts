import type { Arbitrary } from "fast-check";

/** What a fuzzer needs while it runs. */
export interface Target {
  /** The inputs: JSON, so that a found one can be kept as a file. */
  readonly arbitrary: Arbitrary<unknown>;
  /** Throws, or rejects, when the promise does not hold for this input. */
  property(input: unknown): Promise<void> | void;
  close(): Promise<void>;
}

/** Generates inputs for one part of the product, and says what must hold for all of them. */
export interface Fuzzer {
  readonly name: string;
  /** What must hold, as a sentence. */
  readonly about: string;
  /** Number of inputs in the default suite. */
  readonly runs: number;
  /** Starts what the property needs; a text says why it cannot run here. */
  open(): Promise<Target | string>;
}

/** A target whose inputs have a type. */
export interface TargetOf<T> {
  readonly arbitrary: Arbitrary<T>;
  property(input: T): Promise<void> | void;
  close?(): Promise<void>;
}

/** Found inputs are files, which nothing else than their own arbitrary has made. */
export const defineTarget = <T>({ arbitrary, property, close }: TargetOf<T>): Target => ({
  arbitrary,
  property: (input) => property(input as T),
  close: close ?? (async () => undefined),
});
