/** The part of WebAssembly that the engine uses; the compiler's libraries for Node do not declare its classes. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export interface WasmInstance {
  readonly exports: object;
}

interface Wasm {
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
  Instance: new (module: WebAssembly.Module, imports: object) => WasmInstance;
  Memory: new (options: { initial: number; maximum: number }) => WasmMemory;
}

export const wasm: Wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
