import { RELEASE_SYNC } from "quickjs-emscripten";

import { bundleFileName, guestOp, hostOp, preludeFileName } from "../ops.ts";
import { type EngineCode, partOf } from "./engine-files.ts";
import { type CallText, eventKey, type Host, idleHost } from "./guest-machine.ts";
import { markHostWrites } from "./host-writes.ts";
import { ImageMemory } from "./marks/image-memory.ts";
import { stack, trackedBytes } from "./marks/pieces.ts";
import { TrackedMemory } from "./marks/tracked-memory.ts";
import { createTrackerMaker, findTrackerWord, runtimeBytes, runtimeWords } from "./rejection-tracker.ts";
import { useUtc } from "./utc.ts";
import { type EmscriptenModule, type Ffi, wasm, type WasmInstance, type WasmMemory, wasmPageBytes } from "./wasm.ts";

/** Smaller than the worker's stack of 32 MiB, so that recursion ends with an error of the guest, never of the host. */
const guestStackBytes = 256 * 1024;
export const initialPages: number = trackedBytes / wasmPageBytes;
const evalFlagsGlobal = 0;
// Zero means the default set.
const allIntrinsics = 0;

/** Size of a value of the engine. */
const valueBytes = 8;
/** Size of two values and four pointers to values. */
const rejectionBytes = 2 * valueBytes + 4 * 4;
const probeBytes = 2 * 1024 * 1024;
const scrubChunks: readonly number[] = [65_536, 16_384, 4_096, 1_024, 512, 256, 128, 64, 32];

/** Addresses in a machine's memory; part of an image. */
export interface Addresses {
  readonly rt: number;
  readonly ctx: number;
  readonly enter: number;
}

/** Thrown when the engine itself fails (abort, host stack, out of bounds): the machine must be dropped. */
export class MachineFailure extends Error {}

export interface MachineLoader {
  /** Creates a machine without a realm: call `boot` or restore an image. */
  create(maximumPages: number, startPages?: number): Promise<Machine>;
}

export async function createMachineLoader(code: EngineCode): Promise<MachineLoader> {
  const load = (await RELEASE_SYNC.importModuleLoader()) as unknown as (options: object) => Promise<EmscriptenModule>;
  const addTracker = await createTrackerMaker();
  const images = new ImageMemory();
  const FfiClass = (await RELEASE_SYNC.importFFI()) as unknown as new (module: EmscriptenModule) => Ffi;
  return {
    async create(maximumPages, startPages = initialPages) {
      const memoryPages = Math.max(maximumPages, startPages);
      const memory = new wasm.Memory({ initial: startPages, maximum: memoryPages });
      const tracked = new TrackedMemory(memory, memoryPages, images);
      let machine: Machine | undefined;
      let tracker = 0;
      const module = await load({
        wasmMemory: memory,
        // The engine's environment names it; otherwise that would be the path of the host's program.
        thisProgram: "x",
        print: () => undefined,
        printErr: () => undefined,
        instantiateWasm: (imports: object, done: (instance: WasmInstance) => void) => {
          useUtc(imports, memory);
          markHostWrites(imports, (address, length) => tracked.wrote(address, length));
          const instance = new wasm.Instance(code.wasm, { ...imports, ...tracked.imports });
          tracked.attach(instance);
          tracker = addTracker(instance, (...rejection) => machine?.track(...rejection));
          done(instance);
          return instance.exports;
        },
      });
      machine = new Machine(module, new FfiClass(module), memory, tracked, code, memoryPages, tracker);
      return machine;
    },
  };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const eventName = encoder.encode(eventKey);
const callEnd = encoder.encode("}");

/** One WebAssembly instance of the engine with limited memory, one realm and one entry point. */
export class Machine {
  readonly memory: WasmMemory;
  readonly tracked: TrackedMemory;
  readonly columns = "characters";
  readonly maximumPages: number;
  readonly #module: EmscriptenModule;
  readonly #ffi: Ffi;
  readonly #code: EngineCode;
  /** Table index of the function that receives rejections. */
  readonly #tracker: number;
  #at: Addresses = { rt: 0, ctx: 0, enter: 0 };
  #host: Host = idleHost;

  constructor(
    module: EmscriptenModule,
    ffi: Ffi,
    memory: WasmMemory,
    tracked: TrackedMemory,
    code: EngineCode,
    maximumPages: number,
    tracker: number,
  ) {
    this.memory = memory;
    this.tracked = tracked;
    this.maximumPages = maximumPages;
    this.#module = module;
    this.#ffi = ffi;
    this.#code = code;
    this.#tracker = tracker;
    module.callbacks = {
      callFunction: (_asyncify, ctx, _self, argc, argv) => this.#called(ctx ?? 0, argc ?? 0, argv ?? 0),
      shouldInterrupt: () => (this.#host.shouldInterrupt() ? 1 : 0),
      freeHostRef: () => 0,
      loadModuleSource: () => 0,
      normalizeModule: () => 0,
    };
  }

  get addresses(): Addresses {
    return this.#at;
  }

  attach(host: Host): void {
    this.#host = host;
  }

  /** Uses a realm whose memory was copied in. */
  adopt(addresses: Addresses): void {
    this.#at = addresses;
  }

  /** Creates a realm and evaluates the prelude in it. */
  boot(): void {
    const ffi = this.#ffi;
    const rt = ffi.QTS_NewRuntime();
    ffi.QTS_RuntimeSetMaxStackSize(rt, guestStackBytes);
    this.#enableCallbacks(rt);
    const ctx = ffi.QTS_NewContext(rt, allIntrinsics);
    this.#at = { rt, ctx, enter: 0 };
    const dispatch = ffi.QTS_NewFunction(ctx, "dispatch", 3, false, 1);
    const prelude = this.#eval(this.#code.prelude, preludeFileName);
    const enter = this.#call(prelude, [dispatch]);
    for (const value of [prelude, dispatch]) ffi.QTS_FreeValuePointer(ctx, value);
    this.#at = { rt, ctx, enter };
  }

  /** Enables the interrupt handler and the rejection tracker. */
  #enableCallbacks(rt: number): void {
    const before = runtimeWords(this.memory.buffer, rt).slice();
    this.#ffi.QTS_RuntimeEnableInterruptHandler(rt);
    const words = runtimeWords(this.memory.buffer, rt);
    const word = findTrackerWord(before, words);
    if (word !== undefined) words[word] = this.#tracker;
    this.tracked.wrote(rt, runtimeBytes);
  }

  /** Passes a rejection to the guest. The engine calls this during its own work, so failures are ignored. */
  track(promise: bigint, reason: bigint, isHandled: boolean): void {
    const { ctx, enter } = this.#at;
    const pointer = enter === 0 ? 0 : this.#module._malloc(rejectionBytes);
    if (pointer === 0) return;
    const ffi = this.#ffi;
    const [promiseAt, reasonAt, argv] = [pointer, pointer + valueBytes, pointer + 2 * valueBytes];
    this.tracked.wrote(pointer, rejectionBytes);
    new BigInt64Array(this.memory.buffer, pointer, 2).set([promise, reason]);
    const op = ffi.QTS_NewFloat64(ctx, isHandled ? guestOp.handled : guestOp.rejected);
    const nothing = ffi.QTS_GetUndefined();
    const args = [op, nothing, promiseAt, reasonAt];
    new Uint32Array(this.memory.buffer, argv, args.length).set(args);
    const result = ffi.QTS_Call(ctx, enter, nothing, args.length, argv);
    const error = ffi.QTS_ResolveException(ctx, result);
    if (error !== 0) ffi.QTS_FreeValuePointer(ctx, error);
    for (const value of [op, result]) ffi.QTS_FreeValuePointer(ctx, value);
    this.#module._free(pointer);
  }

  /** Calls the guest's entry point. False: it ended with an exception (an interrupt, no memory left). */
  enter(op: number, text: string | CallText, extra?: Uint8Array | { code: string }): boolean {
    const { ctx, enter } = this.#at;
    return this.#guarded(() => {
      const args = [
        this.#ffi.QTS_NewFloat64(ctx, op),
        typeof text === "string" ? this.#newString(text) : this.#newCall(text),
      ];
      if (extra instanceof Uint8Array) args.push(this.#newBytes(extra));
      else if (extra) args.push(this.#eval(extra.code, bundleFileName));
      const result = this.#call(enter, args);
      for (const value of args) this.#ffi.QTS_FreeValuePointer(ctx, value);
      this.#ffi.QTS_FreeValuePointer(ctx, result);
      return true;
    });
  }

  /** Runs up to `max` pending jobs. */
  runJobs(max: number): boolean {
    const { rt, ctx } = this.#at;
    return this.#guarded(() => {
      const out = this.#module._malloc(4);
      const value = this.#ffi.QTS_ExecutePendingJob(rt, max, out);
      this.#module._free(out);
      const error = this.#ffi.QTS_ResolveException(ctx, value);
      this.#ffi.QTS_FreeValuePointerRuntime(rt, value);
      if (error !== 0) throw new GuestException();
      return true;
    });
  }

  /**
   * Zeroes the free chunks of the heap, so that images contain no garbage. Allocates chunks from large to small until none
   * is left within the present extent of the heap.
   */
  scrub(): void {
    const taken: number[] = [];
    const end = this.#module._malloc(scrubChunks[0] ?? 0);
    for (const size of scrubChunks) {
      for (;;) {
        const pointer = this.#module._malloc(size);
        if (pointer === 0) break;
        taken.push(pointer);
        this.tracked.wrote(pointer, size);
        this.#module.HEAPU8.fill(0, pointer, pointer + size);
        if (pointer > end) break;
      }
    }
    for (const pointer of [end, ...taken]) this.#module._free(pointer);
  }

  /**
   * Finds the static variable that holds the end of the heap: the greatest of those that change when an allocation exceeds
   * the heap. Undefined when none does. The machine is unusable afterwards.
   */
  findHeapEnd(): number | undefined {
    const before = new Uint32Array(this.memory.buffer.slice(0, stack.low));
    this.#module._malloc(probeBytes);
    const after = new Uint32Array(this.memory.buffer, 0, stack.low / 4);
    let found: number | undefined;
    for (const [index, value] of after.entries()) {
      const moved = value - (before[index] ?? 0);
      const isEnd = moved > probeBytes / 2 && moved <= 2 * probeBytes && value <= this.memory.buffer.byteLength;
      if (isEnd && value > (after[found ?? -1] ?? 0)) found = index;
    }
    return found === undefined ? undefined : found * 4;
  }

  /** The end of the heap; `address` is from `findHeapEnd`. */
  heapEnd(address: number): number {
    return new Uint32Array(this.memory.buffer, address, 1)[0] ?? 0;
  }

  hasJobs(): boolean {
    return this.#ffi.QTS_IsJobPending(this.#at.rt) !== 0;
  }

  #guarded(run: () => boolean): boolean {
    try {
      return run();
    } catch (error) {
      if (error instanceof GuestException) return false;
      throw new MachineFailure(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    }
  }

  #eval(code: string, fileName: string): number {
    return this.#checked(this.#evalUnchecked(code, fileName));
  }

  #evalUnchecked(code: string, fileName: string): number {
    const bytes = encoder.encode(code);
    const pointer = this.#copyIn(bytes, 1);
    // By pointers: the engine's module would write the name to the stack itself.
    const name = this.#copyIn(encoder.encode(fileName), 1);
    const value = this.#module._QTS_Eval(this.#at.ctx, pointer, bytes.length, name, 0, evalFlagsGlobal);
    this.#module._free(name);
    this.#module._free(pointer);
    return value;
  }

  /** Evaluates a part. An exception (an interrupt, no memory left) continues in the guest. */
  #evalPart(code: string | undefined): number {
    return code === undefined ? 0 : this.#evalUnchecked(code, preludeFileName);
  }

  #call(fn: number, args: number[]): number {
    const self = this.#ffi.QTS_GetUndefined();
    const argv = this.#malloc(args.length * 4);
    this.tracked.wrote(argv, args.length * 4);
    new Uint32Array(this.memory.buffer, argv, args.length).set(args);
    const value = this.#ffi.QTS_Call(this.#at.ctx, fn, self, args.length, argv);
    this.#module._free(argv);
    return this.#checked(value);
  }

  #checked(value: number): number {
    const error = this.#ffi.QTS_ResolveException(this.#at.ctx, value);
    if (error === 0) return value;
    throw new GuestException();
  }

  #malloc(size: number): number {
    const pointer = this.#module._malloc(size);
    if (pointer === 0) throw new GuestException();
    return pointer;
  }

  #copyIn(bytes: Uint8Array, terminator: 0 | 1): number {
    const pointer = this.#malloc(bytes.length + terminator);
    const heap = this.#module.HEAPU8;
    this.tracked.wrote(pointer, bytes.length + terminator);
    heap.set(bytes, pointer);
    if (terminator) heap[pointer + bytes.length] = 0;
    return pointer;
  }

  /** For JSON text: it has no NUL, which would end the string. */
  #newString(text: string): number {
    const room = text.length * 3 + 1;
    const pointer = this.#malloc(room);
    const { written } = encoder.encodeInto(text, this.#module.HEAPU8.subarray(pointer, pointer + room - 1));
    return this.#takeString(pointer, written);
  }

  #newCall({ text, event }: CallText): number {
    if (!event) return this.#newString(text);
    const room = text.length * 3 + eventName.length + event.length + 2;
    const pointer = this.#malloc(room);
    const heap = this.#module.HEAPU8;
    // In place of the text's last brace.
    const { written } = encoder.encodeInto(text, heap.subarray(pointer, pointer + room));
    let end = pointer + written - 1;
    for (const piece of [eventName, event, callEnd]) {
      heap.set(piece, end);
      end += piece.length;
    }
    event.buffer.transfer(0);
    return this.#takeString(pointer, end - pointer);
  }

  /** Makes a string of UTF-8 that was written, with room for a NUL, and frees that memory. */
  #takeString(pointer: number, length: number): number {
    this.#module.HEAPU8[pointer + length] = 0;
    this.tracked.wrote(pointer, length + 1);
    const value = this.#ffi.QTS_NewString(this.#at.ctx, pointer);
    this.#module._free(pointer);
    return this.#checked(value);
  }

  #newBytes(bytes: Uint8Array): number {
    // The engine owns this memory from now on, and frees it with the buffer.
    return this.#checked(this.#ffi.QTS_NewArrayBuffer(this.#at.ctx, this.#copyIn(bytes, 0), bytes.length));
  }

  #readString(value: number): string {
    const pointer = this.#ffi.QTS_GetString(this.#at.ctx, value);
    if (pointer === 0) return "";
    const heap = this.#module.HEAPU8;
    const text = decoder.decode(heap.subarray(pointer, heap.indexOf(0, pointer)));
    this.#ffi.QTS_FreeCString(this.#at.ctx, pointer);
    return text;
  }

  #readBytes(value: number): Uint8Array | undefined {
    const length = this.#ffi.QTS_GetArrayBufferLength(this.#at.ctx, value);
    if (length <= 0) return length === 0 ? new Uint8Array(0) : undefined;
    const pointer = this.#ffi.QTS_GetArrayBuffer(this.#at.ctx, value);
    if (pointer === 0) return undefined;
    const bytes = this.#module.HEAPU8.slice(pointer, pointer + length);
    this.#module._free(pointer);
    return bytes;
  }

  /** Handles the guest's call `dispatch(op, text, bytes)`. */
  #called(ctx: number, argc: number, argv: number): number {
    const arg = (index: number): number => this.#ffi.QTS_ArgvGetJSValueConstPointer(argv, index);
    const op = this.#ffi.QTS_GetFloat64(ctx, arg(0));
    const text = argc > 1 ? this.#readString(arg(1)) : "";
    if (op === hostOp.part || op === hostOp.builtin) return this.#evalPart(partOf(this.#code.parts, op, text));
    const bytes = argc > 2 ? this.#readBytes(arg(2)) : undefined;
    const answer = this.#host.dispatch(op, text, bytes);
    if (answer === undefined) return 0;
    return typeof answer === "string" ? this.#newString(answer) : this.#newBytes(answer);
  }
}

/** The guest ended with an exception that it could not catch or that cannot be read. */
class GuestException extends Error {}
