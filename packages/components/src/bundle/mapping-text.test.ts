import { decodedMappings, encodedMappings, TraceMap } from "@jridgewell/trace-mapping";
import { expect, test } from "vitest";

import { createMappingWriter, readMappings } from "./mapping-text.ts";

type Segments = [number, number, number, number, number][] | [number, number, number, number][] | [number][];

const encode = (mappings: readonly Segments[]): string =>
  encodedMappings(new TraceMap({ version: 3, sources: [], names: [], mappings: [...mappings] }));

function copy(text: string): string {
  const writer = createMappingWriter();
  readMappings(text, writer.segment, writer.lineEnd);
  return writer.text();
}

/** Numbers that a seed decides. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}

/** Lines with segments of each length, and some without any. */
function generated(seed: number, lines: number, most: number): Segments[] {
  const next = numbers(seed);
  const below = (limit: number): number => next.next().value % limit;
  return Array.from({ length: lines }, () => {
    let column = 0;
    return Array.from({ length: below(most) }, () => {
      column += below(300) + 1;
      const segment = [column, below(9), below(3_000_000), below(70_000), below(5_000)];
      return segment.slice(0, [1, 4, 5][below(3)]);
    }) as Segments;
  });
}

const cases: [string, Segments[]][] = [
  ["nothing", [[]]],
  ["empty lines", [[], [], [[0]], [], []]],
  ["the largest numbers", [[[0, 0, 1_073_741_823, 1_073_741_823, 0]], [[1_073_741_823, 0, 0, 0]]]],
  ...[1, 22, 333, 4_444].map((seed): [string, Segments[]] => [`lines of seed ${seed}`, generated(seed, 40, 12)]),
  ["more than one piece", generated(5, 200, 200)],
];

test.each(cases)("mappings are read and written as other libraries do: %s", (_name, mappings) => {
  const text = encode(mappings);
  expect(copy(text)).toBe(text);
  const read: number[][][] = [[]];
  readMappings(
    text,
    (...segment) => read.at(-1)?.push(segment),
    () => read.push([]),
  );
  const decoded = decodedMappings(new TraceMap({ version: 3, sources: [], names: [], mappings: text }));
  expect(read).toEqual(
    decoded.map((line) =>
      line.map(([column, source = -1, originLine = 0, originColumn = 0, name = -1]) => [
        column,
        source,
        originLine,
        originColumn,
        name,
      ]),
    ),
  );
});
