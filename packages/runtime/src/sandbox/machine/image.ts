import { type Addresses, type Machine, wasmPageBytes } from "./quickjs-machine.ts";

/** A machine's memory at rest, as runs of 4 KiB pages; restoring it into another machine clones the realm. */
export interface Image {
  /** The pages of every run, one after another. */
  readonly bytes: ArrayBuffer;
  /** Offset in the machine's memory and length, pairwise. */
  readonly runs: Uint32Array;
  /** WebAssembly pages that the memory must have at least. */
  readonly pages: number;
  readonly addresses: Addresses;
}

const pageBytes = 4096;

/** The image that all others have in common. */
export interface BaseImage extends Image {
  /** Address of the variable that holds the heap's end; undefined when it cannot be told. */
  readonly heapEndAt: number | undefined;
}

const zeroPage = Buffer.alloc(pageBytes);

/** Copies every page that is not zero; pages of `base` are taken in any case, since clones may start from it. */
export function captureImage(machine: Machine, base?: BaseImage): Image {
  machine.scrub();
  const memory = machine.memory.buffer;
  const bytes = Buffer.from(memory);
  const pageCount = memory.byteLength / pageBytes;
  // Beyond the heap's end nothing was ever written.
  const end = base?.heapEndAt === undefined ? memory.byteLength : machine.heapEnd(base.heapEndAt);
  const wanted = new Uint8Array(pageCount);
  if (base) {
    for (let run = 0; run < base.runs.length; run += 2) {
      const first = (base.runs[run] ?? 0) / pageBytes;
      wanted.fill(1, first, first + (base.runs[run + 1] ?? 0) / pageBytes);
    }
  }
  for (let start = 0; start < end; start += pageBytes) {
    const page = start / pageBytes;
    if (!wanted[page] && bytes.compare(zeroPage, 0, pageBytes, start, start + pageBytes) !== 0) wanted[page] = 1;
  }
  const runs: number[] = [];
  for (let page = 0; page < pageCount; page++) {
    if (!wanted[page]) continue;
    const first = page;
    while (page < pageCount && wanted[page]) page++;
    runs.push(first * pageBytes, (page - first) * pageBytes);
  }
  const total = runs.reduce((size, value, index) => (index % 2 ? size + value : size), 0);
  const image = {
    bytes: new ArrayBuffer(total),
    runs: Uint32Array.from(runs),
    pages: memory.byteLength / wasmPageBytes,
    addresses: machine.addresses,
  };
  copyRuns(image, new Uint8Array(memory), "capture");
  return image;
}

function copyRuns(image: Image, memory: Uint8Array, direction: "capture" | "restore"): void {
  const store = new Uint8Array(image.bytes);
  let position = 0;
  for (let run = 0; run < image.runs.length; run += 2) {
    const offset = image.runs[run] ?? 0;
    const length = image.runs[run + 1] ?? 0;
    if (direction === "restore") memory.set(store.subarray(position, position + length), offset);
    else store.set(memory.subarray(offset, offset + length), position);
    position += length;
  }
}

/** Turns a machine of at least `image.pages` into a clone of the captured one. */
export function restoreImage(machine: Machine, image: Image): void {
  copyRuns(image, new Uint8Array(machine.memory.buffer), "restore");
  machine.adopt(image.addresses);
}

/** The engine's stack grows down towards its static data; its guest part is 256 KiB, the rest is the engine's own. */
const deadStackBytes = 384 * 1024;

/**
 * Zeroes what a machine's last tenant may have left outside the pages of an image: free heap up to the highest address
 * the allocator has asked for, and the dead part of the stack. A guest cannot read it; this is a second wall.
 */
export function wipeBeside(machine: Machine, image: Image, end: number): void {
  const memory = new Uint8Array(machine.memory.buffer);
  let position = 0;
  for (let run = 0; run <= image.runs.length; run += 2) {
    const isLast = run === image.runs.length;
    const offset = isLast ? end : (image.runs[run] ?? 0);
    // The first gap is the stack: only its upper end is ever used.
    const from = run === 2 ? Math.max(position, offset - deadStackBytes) : position;
    if (offset > from) memory.fill(0, from, offset);
    if (!isLast) position = offset + (image.runs[run + 1] ?? 0);
  }
}
