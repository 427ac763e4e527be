const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Base64 VLQ, the numbers of source maps: the sign in the lowest bit, then five bits per digit. */
function encode(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const more = rest > 31 ? 32 : 0;
    text += digits[(rest & 31) | more];
    rest >>>= 5;
  } while (rest > 0);
  return text;
}

/** The mapped columns of each line; both count from 0. */
export type Grid = readonly (readonly number[])[];

/** The columns where words and signs begin. */
export const wordGrid = (text: string): Grid =>
  text.split("\n").map((line) => [...line.matchAll(/\w+|\W/g)].map(({ index }) => index));

/** A source map that maps every position of a grid to itself. */
export function identityMap(path: string, grid: Grid): object {
  let line = 0;
  let column = 0;
  const lines = grid.map((starts, index) => {
    let before = 0;
    const segments = starts.map((start) => {
      const segment = encode(start - before) + encode(0) + encode(index - line) + encode(start - column);
      [before, line, column] = [start, index, start];
      return segment;
    });
    return segments.join(",");
  });
  return { version: 3, sources: [path], names: [], mappings: lines.join(";") };
}
