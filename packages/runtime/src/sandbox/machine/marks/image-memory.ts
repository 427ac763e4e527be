import { eachRun, type RunBytes, writeRuns } from "../runs.ts";
import { wasm, type WasmMemory, wasmPageBytes } from "../wasm.ts";
import { pieceBytes, trackedBytes } from "./pieces.ts";

/** A larger image is copied without the help of the engine's code. */
const mostStagedBytes = 8 * 1024 * 1024;
/** A larger image is staged when it is restored twice in a row: staging it costs as much as restoring it. */
const mostStagedAtOnceBytes = 1024 * 1024;
/** After the base image one page of zeros, because a piece is copied with some bytes after it. */
const listAt = trackedBytes + wasmPageBytes;
const bytesAt = listAt + wasmPageBytes;
const pages = (bytesAt + mostStagedBytes) / wasmPageBytes;

/** An image in the memory: where the addresses of its pieces and their contents lie. */
export interface Staged {
  readonly count: number;
  readonly list: number;
  readonly bytes: number;
}

/**
 * The images that the engine's code copies from, for all machines of a thread: the base image, where it lies in a machine,
 * and the image that was restored last. Only touched pages of it take memory.
 */
export class ImageMemory {
  readonly memory: WasmMemory = new wasm.Memory({ initial: pages, maximum: pages });
  readonly #bytes = new Uint8Array(this.memory.buffer);
  readonly #list = new Uint32Array(this.memory.buffer, listAt, mostStagedBytes / pieceBytes);
  #base: RunBytes | undefined;
  #image: RunBytes | undefined;
  #candidate: RunBytes | undefined;
  #count = 0;

  /** The base image as it lies in a machine. */
  base(image: RunBytes): Uint8Array {
    if (this.#base !== image) {
      if (this.#base) this.#bytes.fill(0, 0, trackedBytes);
      writeRuns(image, this.#bytes);
      this.#base = image;
    }
    return this.#bytes.subarray(0, trackedBytes);
  }

  /** Undefined: the image is too large, or large and not the one that was asked for last. */
  stage(image: RunBytes): Staged | undefined {
    const size = image.bytes.byteLength;
    if (size > mostStagedBytes) return undefined;
    const isNew = this.#candidate !== image;
    this.#candidate = image;
    if (this.#image !== image) {
      if (isNew && size > mostStagedAtOnceBytes) return undefined;
      this.#bytes.set(new Uint8Array(image.bytes), bytesAt);
      this.#count = 0;
      eachRun(image.own, (offset, length) => {
        for (let at = 0; at < length; at += pieceBytes) this.#list[this.#count++] = offset + at;
      });
      this.#image = image;
    }
    return { count: this.#count, list: listAt, bytes: bytesAt };
  }
}
