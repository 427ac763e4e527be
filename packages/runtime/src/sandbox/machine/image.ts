import { pieceBytes } from "./marks/pieces.ts";
import type { Addresses, Machine } from "./quickjs-machine.ts";
import { eachRun, readRuns, type RunBytes, type Runs, sizeOfRuns } from "./runs.ts";
import { wasmPageBytes } from "./wasm.ts";

/**
 * A machine's memory at rest; restoring it into another machine clones the realm. Its own runs, whose bytes it has, are the
 * part of `runs` that differs from the base image.
 */
export interface Image extends RunBytes {
  /** All pages of 4 KiB that are not zero. */
  readonly runs: Runs;
  /** Minimum of WebAssembly pages of a memory for it. */
  readonly pages: number;
  readonly addresses: Addresses;
}

/** Bytes that an image holds. */
export const imageSize = ({ bytes, runs, own }: Image): number => bytes.byteLength + runs.byteLength + own.byteLength;

const pageBytes = 4096;

/** The image that all other images start from. */
export interface BaseImage extends Image {
  /** Address of the variable that holds the heap's end; undefined when unknown. */
  readonly heapEndAt: number | undefined;
  /** Whether the build made it: all threads have the same one, so other images contain only their differences. */
  readonly isStored: boolean;
}

const zeroPage = Buffer.alloc(pageBytes);

/** Captures the memory that is neither zero nor equal to a stored `base`. */
export function captureImage(machine: Machine, base?: BaseImage): Image {
  machine.scrub();
  const memory = machine.memory.buffer;
  const bytes = Buffer.from(memory);
  const pageCount = memory.byteLength / pageBytes;
  // Memory beyond the end of the heap is untouched.
  const end = base?.heapEndAt === undefined ? memory.byteLength : machine.heapEnd(base.heapEndAt);
  const wanted = new Uint8Array(pageCount);
  const own = new Uint8Array(memory.byteLength / pieceBytes);
  const takePage = (offset: number): void => {
    wanted[offset / pageBytes] = 1;
    own.fill(1, offset / pieceBytes, (offset + pageBytes) / pieceBytes);
  };
  // Clones start from the base image, so its pages are included even where they are zero now.
  if (base) {
    const known = Buffer.from(base.bytes);
    eachPage(base.runs, (offset, position) => {
      wanted[offset / pageBytes] = 1;
      if (!base.isStored) return takePage(offset);
      for (let at = 0; at < pageBytes; at += pieceBytes) {
        const [here, there] = [offset + at, position + at];
        if (bytes.compare(known, there, there + pieceBytes, here, here + pieceBytes) !== 0) own[here / pieceBytes] = 1;
      }
    });
  }
  for (let start = 0; start < end; start += pageBytes) {
    const isTaken = wanted[start / pageBytes] === 1;
    if (!isTaken && bytes.compare(zeroPage, 0, pageBytes, start, start + pageBytes) !== 0) takePage(start);
  }
  const ownRuns = runsOf(own, pieceBytes);
  const image = {
    bytes: new ArrayBuffer(sizeOfRuns(ownRuns)),
    runs: runsOf(wanted, pageBytes),
    own: ownRuns,
    pages: memory.byteLength / wasmPageBytes,
    addresses: machine.addresses,
  };
  readRuns(image, new Uint8Array(memory));
  return image;
}

function runsOf(taken: Uint8Array, size: number): Runs {
  const runs: number[] = [];
  for (let page = 0; page < taken.length; page++) {
    if (!taken[page]) continue;
    const first = page;
    while (page < taken.length && taken[page]) page++;
    runs.push(first * size, (page - first) * size);
  }
  return Uint32Array.from(runs);
}

/** Visits each page with its offset in the machine's memory and its position in the bytes of the runs. */
function eachPage(runs: Runs, visit: (offset: number, position: number) => void): void {
  eachRun(runs, (first, length, position) => {
    for (let at = 0; at < length; at += pageBytes) visit(first + at, position + at);
  });
}

/** Turns a machine of at least `image.pages` into a clone of the captured one. `base` is the base image of the capture. */
export function restoreImage(machine: Machine, image: Image, base: Image = image): void {
  machine.tracked.restore(image, base);
  machine.adopt(image.addresses);
}
