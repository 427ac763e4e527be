import type { Attack } from "../attack.ts";

export type End = "ok" | "error" | "timeout" | "out_of_memory";

/** A body of `run` and its expected result. A program emits what it finds of the host; then the attack has succeeded. */
export interface Program extends Attack {
  readonly body: string;
  /** Possible error codes; which limit is exceeded first may depend on the machine. */
  readonly ends: readonly End[];
  /** JSON of its events; default: none. */
  readonly emits?: readonly string[];
}

type Row = readonly [id: string, ends: End | readonly End[], body: string, emits?: readonly string[]];

/** Programs of one class that attack one promise. */
export const programs = (attackClass: Attack["class"], promise: string, rows: readonly Row[]): readonly Program[] =>
  rows.map(([id, ends, body, emits]) => ({
    id,
    class: attackClass,
    promise,
    ends: [ends].flat() as readonly End[],
    body,
    ...(emits && { emits }),
  }));
