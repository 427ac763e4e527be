import { RELEASE_SYNC } from "quickjs-emscripten";

import { bundleFileName, guestOp, hostOp, preludeFileName } from "../ops.ts";
import { type EngineCode, partOf } from "./engine-files.ts";
import {
  createTrackerMaker,
  type EngineImports,
  heapEnd,
  keepTexts,
  setTracker,
  stack,
  useUtc,
} from "./engine-internals.ts";
import { type CallText, eventKey, type Host, idleHost } from "./guest-machine.ts";
import { type EmscriptenModule, type Ffi, wasm, type WasmInstance, type WasmMemory, wasmPageBytes } from "./wasm.ts";

/** Smaller than the worker's stack of 32 MiB, so that recursion ends with an error of the guest, never of the host. */
const guestStackBytes = 256 * 1024;
/** What the engine's own functions take beyond that, except for the deepest recursions of its parser. */
const ownStackBytes = 32 * 1024;
const wipedStackBytes = guestStackBytes + ownStackBytes;
/** Larger than many of the engine's frames: where a stack was, each part of this size has something of it. */
const emptyStack = Buffer.alloc(32 * 1024);
export const initialPages = 256;
const evalFlagsGlobal = 0;
// Zero means the default set.
const allIntrinsics = 0;

/** Size of a value of the engine. */
const valueBytes = 8;
/** Size of two values and four pointers to values. */
const rejectionBytes = 2 * valueBytes + 4 * 4;
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
  const FfiClass = (await RELEASE_SYNC.importFFI()) as unknown as new (module: EmscriptenModule) => Ffi;
  return {
    async create(maximumPages, startPages = initialPages) {
      const memoryPages = Math.max(maximumPages, startPages);
      const memory = new wasm.Memory({ initial: startPages, maximum: memoryPages });
      let machine: Machine | undefined;
      let tracker = 0;
      const module = await load({
        wasmMemory: memory,
        // The engine's environment names it; otherwise that would be the path of the host's program.
        thisProgram: "x",
        print: () => undefined,
        printErr: () => undefined,
        instantiateWasm: (imports: EngineImports, done: (instance: WasmInstance) => void) => {
          useUtc(imports, memory);
          const instance = new wasm.Instance(code.wasm, imports);
          tracker = addTracker(instance, (...rejection) => machine?.track(...rejection));
          done(instance);
          return instance.exports;
        },
      });
      machine = new Machine(module, new FfiClass(module), memory, code, memoryPages, tracker);
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
  readonly columns = "characters";
  readonly maximumPages: number;
  readonly #module: EmscriptenModule;
  readonly #ffi: Ffi;
  readonly #code: EngineCode;
  /** Table index of the function that receives rejections. */
  readonly #tracker: number;
  #at: Addresses = { rt: 0, ctx: 0, enter: 0 };
  #host: Host = idleHost;
  #hasFailed = false;

  constructor(
    module: EmscriptenModule,
    ffi: Ffi,
    memory: WasmMemory,
    code: EngineCode,
    maximumPages: number,
    tracker: number,
  ) {
    this.memory = memory;
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
    ffi.QTS_RuntimeEnableInterruptHandler(rt);
    setTracker(this.memory, rt, this.#tracker);
    const ctx = ffi.QTS_NewContext(rt, allIntrinsics);
    this.#at = { rt, ctx, enter: 0 };
    const dispatch = ffi.QTS_NewFunction(ctx, "dispatch", 3, false, 1);
    const modules = ffi.QTS_NewArray(ctx);
    // The texts of the guest's own functions would be a fifth of the base image.
    keepTexts(this.memory, rt, false);
    let enter = 0;
    for (const text of this.#code.prelude) {
      const module = this.#eval(text, preludeFileName);
      if (enter !== 0) ffi.QTS_FreeValuePointer(ctx, enter);
      enter = this.#call(module, [modules, dispatch]);
      ffi.QTS_FreeValuePointer(ctx, module);
    }
    keepTexts(this.memory, rt, true);
    for (const value of [modules, dispatch]) ffi.QTS_FreeValuePointer(ctx, value);
    this.#at = { rt, ctx, enter };
  }

  /** Passes a rejection to the guest. The engine calls this during its own work, so failures are ignored. */
  track(promise: bigint, reason: bigint, isHandled: boolean): void {
    const { ctx, enter } = this.#at;
    const pointer = enter === 0 ? 0 : this.#module._malloc(rejectionBytes);
    if (pointer === 0) return;
    const ffi = this.#ffi;
    const [promiseAt, reasonAt, argv] = [pointer, pointer + valueBytes, pointer + 2 * valueBytes];
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
   * Zeroes the stack and the free chunks of the heap, so that images contain no garbage. Allocates chunks from large to small until none
   * is left within the present extent of the heap.
   */
  scrub(): void {
    const taken: number[] = [];
    const { heapEnd } = this;
    for (const size of scrubChunks) {
      for (;;) {
        const pointer = this.#module._malloc(size);
        if (pointer === 0) break;
        taken.push(pointer);
        this.#module.HEAPU8.fill(0, pointer, pointer + size);
        if (pointer + size > heapEnd) break;
      }
    }
    for (const pointer of taken) this.#module._free(pointer);
    this.wipeStack();
  }

  /** The end of the memory that was used since the last image was restored. */
  get heapEnd(): number {
    return heapEnd(this.memory);
  }

  /** Zeroes what calls left in the stack. What was never used is only read: that is faster, and takes no memory. */
  wipeStack(): void {
    for (let depth = 0; depth < wipedStackBytes; depth += emptyStack.length) {
      const part = this.#stackFrom(depth);
      if (!emptyStack.equals(part)) part.fill(0);
    }
  }

  /**
   * False: an exception left the engine's code where it was, so that the stack is not empty; the memory has grown, which
   * cannot be undone; or the stack was deeper than what is wiped.
   */
  get isReusable(): boolean {
    if (this.#hasFailed || this.memory.buffer.byteLength > initialPages * wasmPageBytes) return false;
    return emptyStack.equals(this.#stackFrom(wipedStackBytes));
  }

  /** The part of the stack that begins at this depth. */
  #stackFrom(depth: number): Uint8Array {
    return this.#module.HEAPU8.subarray(stack.high - depth - emptyStack.length, stack.high - depth);
  }

  hasJobs(): boolean {
    return this.#ffi.QTS_IsJobPending(this.#at.rt) !== 0;
  }

  #guarded(run: () => boolean): boolean {
    try {
      return run();
    } catch (error) {
      this.#hasFailed = true;
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
    const value = this.#ffi.QTS_Eval(this.#at.ctx, pointer, bytes.length, fileName, 0, evalFlagsGlobal);
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
