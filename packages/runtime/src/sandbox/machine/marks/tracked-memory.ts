import { eachRun, type RunBytes, writeRuns } from "../runs.ts";
import { wasm, type WasmInstance, type WasmMemory } from "../wasm.ts";
import type { ImageMemory, Staged } from "./image-memory.ts";
import { importNames, marksModule, rewindName } from "./marked-module.ts";
import { mark, pieceBytes, pieceShift, stack, trackedBytes } from "./pieces.ts";

type Rewind = (isSame: number, count: number, list: number, bytes: number) => void;

/** More than the deepest stack that the engine allows. A machine that used more of it is not used again. */
const mostStackBytes = 2 * 1024 * 1024;
const nothing: Staged = { count: 0, list: 0, bytes: 0 };

/**
 * A machine's memory with its marks: which pieces differ from the image that was restored last. Restoring an image copies
 * those pieces and no others, so code of the host that writes to the memory has to report it.
 */
export class TrackedMemory {
  readonly #memory: WasmMemory;
  readonly #images: ImageMemory;
  readonly #marksMemory: WasmMemory;
  readonly #marks: Buffer;
  #rewind: Rewind | undefined;
  #base: RunBytes | undefined;
  #image: RunBytes | undefined;

  constructor(memory: WasmMemory, maximumPages: number, images: ImageMemory) {
    const pages = Math.ceil(maximumPages / pieceBytes) + 1;
    this.#memory = memory;
    this.#images = images;
    this.#marksMemory = new wasm.Memory({ initial: pages, maximum: pages });
    this.#marks = Buffer.from(this.#marksMemory.buffer);
  }

  /** What marked code imports. */
  get imports(): object {
    const { marks, image } = importNames;
    return { [marksModule]: { [marks]: this.#marksMemory, [image]: this.#images.memory } };
  }

  /** The engine of the memory. Throws unless its code marks what it writes. */
  attach(instance: WasmInstance): void {
    const { [rewindName]: rewind } = instance.exports as { [rewindName]?: Rewind };
    if (!rewind) throw new TypeError("The engine does not mark what it writes");
    this.#rewind = rewind;
  }

  /** The host wrote so many bytes; beyond the end of the memory there is nothing to mark. */
  wrote(address: number, length: number): void {
    const end = Math.min(address + length, this.#memory.buffer.byteLength);
    if (end > address) this.#marks.fill(mark.written, address >>> pieceShift, ((end - 1) >>> pieceShift) + 1);
  }

  /** False: it has grown, or its stack was deeper than the marks of frames are trusted. */
  get isRestorable(): boolean {
    const isWithin =
      this.#memory.buffer.byteLength <= trackedBytes && this.#marks[trackedBytes / pieceBytes - 1] === mark.none;
    if (!isWithin) return false;
    const found = this.#marks.indexOf(mark.written, Math.ceil(stack.low / pieceBytes));
    return found < 0 || found * pieceBytes > stack.high - mostStackBytes;
  }

  /** Makes the memory equal to an image, which is `base` or an image with its differences from `base`. */
  restore(image: RunBytes, base: RunBytes): void {
    if (!this.#rewind) throw new TypeError("The memory has no engine");
    const isSame = this.#base === base && this.#image === image;
    // Another machine of the thread may have used another base image since.
    const bytes = this.#images.base(base);
    if (this.#base !== base) this.#begin(base, bytes);
    const staged = image === base ? nothing : this.#images.stage(image);
    const { count, list, bytes: contents } = staged ?? nothing;
    this.#rewind(isSame ? 1 : 0, count, list, contents);
    this.#image = staged && image;
    if (staged) return;
    writeRuns(image, new Uint8Array(this.#memory.buffer));
    eachRun(image.own, (offset, length) => this.wrote(offset, length));
  }

  /** Makes the memory equal to the base image, apart from marked pieces. */
  #begin(base: RunBytes, image: Uint8Array): void {
    const memory = new Uint8Array(this.#memory.buffer);
    if (this.#base) memory.set(image);
    // All other pages of new memory are zero or marked.
    else memory.set(image.subarray(0, stack.low));
    writeRuns(base, memory);
    this.#base = base;
  }
}
