import zlib from "node:zlib";

import { type BaseImage, findDifference, type Image } from "./image.ts";
import type { Machine } from "./quickjs-machine.ts";
import { cutRuns, readRuns, runBytes, type Runs, sizeOfRuns } from "./runs.ts";

/** An image for storing and sending: its difference from the base image, compressed to about a tenth. */
export interface PackedImage extends Omit<Image, "bytes" | "parts"> {
  /** Pieces of the difference, each compressed alone. */
  readonly packed: readonly Uint8Array<ArrayBuffer>[];
}

/** Bytes that a packed image holds. */
export const packedSize = ({ packed, runs }: PackedImage): number =>
  packed.reduce((size, { byteLength }) => size + byteLength, runs.byteLength);

/** Faster than the copies that it saves, and most bytes of a difference are zero. */
const params = { [zlib.constants.ZSTD_c_compressionLevel]: 1 };

/** A large image is packed in pieces, so that its difference is never there as a whole. */
const maxBytes = 4 * 1024 * 1024;

/** `read` returns a copy of the bytes of some runs, in order. */
function pack(runs: Runs, base: BaseImage, read: (runs: Runs) => ArrayBuffer): Pick<PackedImage, "packed"> {
  const packed = cutRuns(runs, maxBytes).map((piece) => {
    const difference = toggleBase(new Uint8Array(read(piece)), piece, base);
    return new Uint8Array(zlib.zstdCompressSync(difference, { params }));
  });
  return { packed };
}

/** `base` is the base image of the capture. */
export function packImage({ bytes, parts: _parts, ...rest }: Image, base: BaseImage): PackedImage {
  let at = 0;
  const read = (runs: Runs): ArrayBuffer => bytes.slice(at, (at += sizeOfRuns(runs)));
  return { ...rest, ...pack(rest.runs, base, read) };
}

/** Packs the image of a machine, which is never there as a whole. */
export function capturePackedImage(machine: Machine, base: BaseImage): PackedImage {
  const { memory, ...rest } = findDifference(machine, base);
  return { ...rest, ...pack(rest.runs, base, (runs) => readRuns(runs, memory).bytes) };
}

export function unpackImage({ packed, ...rest }: PackedImage, base: BaseImage): Image {
  const whole = new Uint8Array(sizeOfRuns(rest.runs));
  let at = 0;
  for (const piece of packed) {
    // In one piece: by default, the result is made of pieces of 16 KiB.
    const difference = zlib.zstdDecompressSync(piece, {
      chunkSize: Math.max(minChunk, Math.min(whole.length, maxBytes)),
    });
    whole.set(difference, at);
    at += difference.length;
  }
  return { ...rest, ...runBytes(toggleBase(whole, rest.runs, base).buffer, rest.runs) };
}

/** zlib takes no smaller one. */
const minChunk = 64;

const word = Uint32Array.BYTES_PER_ELEMENT;

/** Turns the bytes of an image into their difference from the base image, or back, in place. */
function toggleBase(bytes: Uint8Array<ArrayBuffer>, runs: Uint32Array, base: BaseImage): Uint8Array<ArrayBuffer> {
  // A base image that a thread made for itself is not that of the other threads.
  if (!base.isStored) return bytes;
  const words = new Uint32Array(bytes.buffer);
  const baseWords = new Uint32Array(base.bytes);
  eachOverlap(runs, base.runs, (at, baseAt, length) => {
    for (let index = 0; index < length / word; index += 1) {
      const here = at / word + index;
      words[here] = (words[here] ?? 0) ^ (baseWords[baseAt / word + index] ?? 0);
    }
  });
  return bytes;
}

/** Visits what two lists of runs have in common, with its positions in the bytes of each. */
function eachOverlap(
  runs: Uint32Array,
  others: Uint32Array,
  visit: (position: number, otherPosition: number, length: number) => void,
): void {
  let [run, other, position, otherPosition] = [0, 0, 0, 0];
  while (run < runs.length && other < others.length) {
    const [begin, length] = [runs[run] ?? 0, runs[run + 1] ?? 0];
    const [otherBegin, otherLength] = [others[other] ?? 0, others[other + 1] ?? 0];
    const from = Math.max(begin, otherBegin);
    const to = Math.min(begin + length, otherBegin + otherLength);
    if (from < to) visit(position + from - begin, otherPosition + from - otherBegin, to - from);
    if (begin + length <= otherBegin + otherLength) {
      position += length;
      run += 2;
    } else {
      otherPosition += otherLength;
      other += 2;
    }
  }
}
