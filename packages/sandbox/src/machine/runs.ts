/** Pairs of offset and length in a machine's memory. */
export type Runs = Uint32Array;

/** Visits each run with its offset, its length, and its position in the bytes of all runs. */
function eachRun(runs: Runs, visit: (offset: number, length: number, position: number) => void): void {
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

/** Bytes and where they belong in memory. */
interface Part {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Bytes of memory, one run after another. */
export interface RunBytes {
  readonly bytes: ArrayBuffer;
  readonly runs: Runs;
  /** The same, run by run. */
  readonly parts: readonly Part[];
}

export function runBytes(bytes: ArrayBuffer, runs: Runs): RunBytes {
  const parts: Part[] = [];
  eachRun(runs, (offset, length, position) => parts.push({ offset, bytes: new Uint8Array(bytes, position, length) }));
  return { bytes, runs, parts };
}

/** Copies bytes to where they belong in memory. */
export function writeRuns({ parts }: RunBytes, memory: Uint8Array): void {
  for (const { offset, bytes } of parts) memory.set(bytes, offset);
}

/** Copies bytes from where they belong in memory. */
export function readRuns(runs: Runs, memory: Uint8Array): RunBytes {
  const read = runBytes(new ArrayBuffer(sizeOfRuns(runs)), runs);
  for (const { offset, bytes } of read.parts) bytes.set(memory.subarray(offset, offset + bytes.length));
  return read;
}

/** The same runs in lists of at most so many bytes each; `maxBytes` is a multiple of what all runs are multiples of. */
export function cutRuns(runs: Runs, maxBytes: number): Runs[] {
  const pieces: number[][] = [];
  let room = 0;
  eachRun(runs, (offset, length) => {
    for (let done = 0; done < length;) {
      if (room === 0) {
        pieces.push([]);
        room = maxBytes;
      }
      const taken = Math.min(room, length - done);
      pieces.at(-1)?.push(offset + done, taken);
      done += taken;
      room -= taken;
    }
  });
  return pieces.map((piece) => Uint32Array.from(piece));
}
