import type { Attack } from "../attack.ts";

export type End = "ok" | "error" | "timeout" | "out_of_memory";

/** A body of `run`, and what must be seen of it. What a program finds of the host it emits: then it has not held. */
export interface Program extends Attack {
  readonly body: string;
  /** How it may end; which limit it meets first may depend on the machine. */
  readonly ends: readonly End[];
  /** JSON of what it emits; default: nothing. */
  readonly emits?: readonly string[];
}

type Row = readonly [id: string, ends: End | readonly End[], body: string, emits?: readonly string[]];

/** Programs of one class that go for one promise. */
export const programs = (attackClass: Attack["class"], promise: string, rows: readonly Row[]): readonly Program[] =>
  rows.map(([id, ends, body, emits]) => ({
    id,
    class: attackClass,
    promise,
    ends: [ends].flat() as readonly End[],
    body,
    ...(emits && { emits }),
  }));
