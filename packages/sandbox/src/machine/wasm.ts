export const wasmPageBytes = 65_536;

/** The classes of WebAssembly that the engine uses; TypeScript's libraries for Node do not declare them. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export interface WasmInstance {
  readonly exports: object;
}

/** A compiled module, which can be posted to threads. */
export type WasmModule = object;

export interface WasmTable {
  /** Returns the previous length. */
  grow(by: number): number;
  set(index: number, run: unknown): void;
}

interface Wasm {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  Instance: new (module: WasmModule, imports: object) => WasmInstance;
  Memory: new (options: { initial: number; maximum: number }) => WasmMemory;
}

export const wasm: Wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;

/** The functions of the engine's FFI that this runtime calls; pointers are numbers. */
export interface Ffi {
  QTS_NewRuntime(): number;
  QTS_NewContext(rt: number, intrinsics: number): number;
  QTS_RuntimeSetMaxStackSize(rt: number, bytes: number): void;
  QTS_RuntimeEnableInterruptHandler(rt: number): void;
  QTS_NewArray(ctx: number): number;
  QTS_NewFunction(ctx: number, name: string, argc: number, isConstructor: boolean, id: number): number;
  QTS_Call(ctx: number, fn: number, self: number, argc: number, argv: number): number;
  QTS_Eval(ctx: number, code: number, length: number, name: string, detectModule: number, flags: number): number;
  QTS_ResolveException(ctx: number, value: number): number;
  QTS_ExecutePendingJob(rt: number, max: number, ctxOut: number): number;
  QTS_IsJobPending(rt: number): number;
  QTS_FreeValuePointer(ctx: number, value: number): void;
  QTS_FreeValuePointerRuntime(rt: number, value: number): void;
  QTS_GetUndefined(): number;
  QTS_GetFloat64(ctx: number, value: number): number;
  QTS_NewFloat64(ctx: number, value: number): number;
  QTS_NewString(ctx: number, text: number): number;
  QTS_GetString(ctx: number, value: number): number;
  QTS_FreeCString(ctx: number, text: number): void;
  QTS_NewArrayBuffer(ctx: number, bytes: number, length: number): number;
  QTS_GetArrayBuffer(ctx: number, value: number): number;
  QTS_GetArrayBufferLength(ctx: number, value: number): number;
  QTS_ArgvGetJSValueConstPointer(argv: number, index: number): number;
}

export interface EmscriptenModule {
  HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(pointer: number): void;
  callbacks: Record<string, (...args: number[]) => number>;
}
