const frame = /^[ \t]+at (?:.* \()?([^()\s]+):(\d+):(\d+)\)?$/gm;

/** The positions, from 1, that the frames of a stack of V8 or QuickJS name, innermost first. */
export const stackPlaces = (stack: string): { file: string; line: number; column: number }[] =>
  Array.from(stack.matchAll(frame), ([, file = "", line, column]) => ({
    file,
    line: Number(line),
    column: Number(column),
  }));
