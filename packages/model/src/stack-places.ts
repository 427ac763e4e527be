/** A position that a frame of a stack names; lines and columns count from 1. */
interface StackPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const frame = /^[ \t]+at (?:.* \()?([^()\s]+):(\d+):(\d+)\)?$/gm;

/** The positions in a stack of V8 or QuickJS, innermost first. */
export const stackPlaces = (stack: string): StackPlace[] =>
  Array.from(stack.matchAll(frame), ([, file = "", line, column]) => ({
    file,
    line: Number(line),
    column: Number(column),
  }));
