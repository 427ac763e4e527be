/** Pairs of offset and length in a machine's memory. */
export type Runs = Uint32Array;

/** Visits each run with its offset, its length, and its position in the bytes of all runs. */
export function eachRun(runs: Runs, visit: (offset: number, length: number, position: number) => void): void {
  let position = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const length = runs[run + 1] ?? 0;
    visit(runs[run] ?? 0, length, position);
    position += length;
  }
}

/** Bytes of all runs together. */
export const sizeOfRuns = (runs: Runs): number =>
  runs.reduce((size, value, index) => (index % 2 ? size + value : size), 0);

/** Bytes of memory, one run after another. */
export interface RunBytes {
  readonly bytes: ArrayBuffer;
  readonly own: Runs;
}

/** Copies bytes to where they belong in memory. */
export function writeRuns({ bytes, own }: RunBytes, memory: Uint8Array): void {
  const from = new Uint8Array(bytes);
  eachRun(own, (offset, length, position) => memory.set(from.subarray(position, position + length), offset));
}

/** Copies bytes from where they belong in memory. */
export function readRuns({ bytes, own }: RunBytes, memory: Uint8Array): void {
  const to = new Uint8Array(bytes);
  eachRun(own, (offset, length, position) => to.set(memory.subarray(offset, offset + length), position));
}
