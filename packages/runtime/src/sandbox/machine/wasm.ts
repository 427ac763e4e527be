/** The part of WebAssembly that the engine uses; the compiler's libraries for Node do not declare its classes. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export interface WasmInstance {
  readonly exports: object;
}

export type WasmModule = WebAssembly.Module;

export interface WasmTable {
  /** Gives its length before. */
  grow(by: number): number;
  set(index: number, run: unknown): void;
}

interface Wasm {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  Instance: new (module: WasmModule, imports: object) => WasmInstance;
  Memory: new (options: { initial: number; maximum: number }) => WasmMemory;
}

export const wasm: Wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
