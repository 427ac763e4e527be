import { stack } from "./engine-internals.ts";
import type { Addresses, Machine } from "./quickjs-machine.ts";
import { readRuns, type RunBytes, type Runs, writeRuns } from "./runs.ts";
import { wasmPageBytes } from "./wasm.ts";

/**
 * A machine's memory at rest; restoring it into another machine clones the realm. It has the bytes that differ from the base
 * image, and beyond the base image those that are not zero.
 */
export interface Image extends RunBytes {
  /** Minimum of WebAssembly pages of a memory for it. */
  readonly pages: number;
  readonly addresses: Addresses;
}

/** The image that all other images start from: what is not zero of static data and heap. */
export interface BaseImage extends Image {
  /** Whether the build made it: all threads have the same one, so other images contain only their differences. */
  readonly isStored: boolean;
}

/** Bytes of the object for one run. */
const partBytes = 200;

/** Bytes that an image holds. */
export const imageSize = ({ bytes, runs, parts }: Image): number =>
  bytes.byteLength + runs.byteLength + parts.length * partBytes;

/** Small, because reference counts change all over a realm. */
const pieceBytes = 512;
/** Larger, for the base image: a few long copies are faster than many short ones. */
const basePieceBytes = 1024;
const roundUp = (address: number): number => Math.ceil(address / basePieceBytes) * basePieceBytes;
const staticEnd = roundUp(stack.low);
const heapBegin = roundUp(stack.high) - basePieceBytes;

/** Captures what differs from a stored `base`, or without one what is not zero. */
export function captureImage(machine: Machine, base?: BaseImage): Image {
  const { memory, runs, ...rest } = findDifference(machine, base);
  return { ...readRuns(runs, memory), ...rest };
}

/** Where an image of the machine would have bytes; `memory` is the machine's own. */
export interface Difference extends Omit<Image, "bytes" | "parts"> {
  readonly memory: Uint8Array;
}

export function findDifference(machine: Machine, base?: BaseImage): Difference {
  machine.scrub();
  const memory = Buffer.from(machine.memory.buffer);
  const isDifference = base?.isStored === true;
  // As long as the base image: of a large machine, the rest is zero.
  const known = Buffer.alloc(isDifference ? roundUp(endOf(base)) : 0);
  if (isDifference) writeRuns(base, known);
  return {
    memory,
    runs: differingRuns(memory, known, roundUp(machine.heapEnd), isDifference ? pieceBytes : basePieceBytes),
    pages: memory.byteLength / wasmPageBytes,
    addresses: machine.addresses,
  };
}

function endOf({ parts }: Image): number {
  const last = parts.at(-1);
  return last ? last.offset + last.bytes.length : 0;
}

/**
 * Where memory differs from what is known, and behind that from zero. The stack is empty, and beyond `end` nothing was
 * used.
 */
function differingRuns(memory: Buffer, known: Buffer, end: number, unit: number): Runs {
  const runs: number[] = [];
  const zeros = Buffer.alloc(unit);
  for (let at = 0; at < end; at = at + unit === staticEnd ? heapBegin : at + unit) {
    const [expected, from] = at < known.length ? [known, at] : [zeros, 0];
    if (memory.compare(expected, from, from + unit, at, at + unit) === 0) continue;
    const [begin = 0, length = -1] = runs.slice(-2);
    if (begin + length === at) runs[runs.length - 1] = length + unit;
    else runs.push(at, unit);
  }
  return Uint32Array.from(runs);
}

/**
 * Turns a machine of at least `image.pages` into a clone of the captured one. `base` is the base image of the capture. Nothing
 * of what the machine did before is left in its memory.
 */
export function restoreImage(machine: Machine, image: Image, base?: BaseImage): void {
  const memory = new Uint8Array(machine.memory.buffer);
  const { heapEnd } = machine;
  machine.wipeStack();
  // What images leave out was zero, or is that of the base image.
  let end = 0;
  for (const { parts } of base?.isStored === true && base !== image ? [base, image] : [image]) {
    for (const { offset, bytes } of parts) {
      zero(memory, end, offset);
      memory.set(bytes, offset);
      end = Math.max(end, offset + bytes.length);
    }
  }
  zero(memory, end, heapEnd);
  machine.adopt(image.addresses);
}

/** Zeroes static data and heap between two addresses, but not the stack between them. */
function zero(memory: Uint8Array, from: number, to: number): void {
  if (from < staticEnd && to > from) memory.fill(0, from, Math.min(to, staticEnd));
  if (to > heapBegin && to > from) memory.fill(0, Math.max(from, heapBegin), to);
}
