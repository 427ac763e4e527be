import type { Attack } from "../attack.ts";

/** An input of a kind whose work could grow faster than it does. */
export interface ComplexInput extends Attack {
  readonly class: "algorithmic complexity";
  /** The larger size; the other one is a quarter of it. */
  readonly size: number;
  /** Makes an input of a size. Resolves with the work, which is measured. */
  prepare(size: number): (() => unknown) | Promise<() => unknown>;
}
