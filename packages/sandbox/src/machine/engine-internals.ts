/**
 * What this runtime knows of the inside of the engine's package: names in its code, and addresses in its memory. The package
 * promises none of it. `engine-internals.test.ts` fails when the package changes; docs/engine.md says what to do then.
 */
import { wasm, type WasmInstance, type WasmMemory, type WasmModule, type WasmTable } from "./wasm.ts";

/** The SHA-256 of the engine's code for which all of this was found. */
export const engineHash = "105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232";

/** Where the engine's stack lies, between its static data and the heap. It grows down, and is empty between calls. */
export const stack = { low: 90_208, high: 5_333_088 } as const;

/** Address of the static variable with the end of the heap, which only grows. */
const heapEndAt = 86_864;

/** Offsets in the engine's runtime: of the function that it tells of rejections, and of flags for what it compiles. */
const trackerAt = 160;
const compileFlagsAt = 228;

/** The functions by which the engine asks for local time and for the time zone; their names are minified. */
const timeFunctions = { local: "m", zone: "n" } as const;

/** The end of what the engine has used of a memory. */
export const heapEnd = (memory: WasmMemory): number => new Uint32Array(memory.buffer, heapEndAt, 1)[0] ?? 0;

/** Whether functions that the runtime at `rt` compiles keep their text, for `toString`. */
export function keepTexts(memory: WasmMemory, rt: number, isKept: boolean): void {
  new Uint8Array(memory.buffer, rt + compileFlagsAt, 1)[0] = isKept ? 0 : 1;
}

/** Lets the runtime at `rt` call a function of its instance's table for rejections. */
export function setTracker(memory: WasmMemory, rt: number, index: number): void {
  new Uint32Array(memory.buffer, rt + trackerAt, 1)[0] = index;
}

const dayMs = 24 * 60 * 60 * 1_000;

const daysBefore = (at: Date): number =>
  Math.floor(
    (Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()) - Date.UTC(at.getUTCFullYear(), 0)) / dayMs,
  );

/** The words of C's `struct tm`, without daylight saving time or an offset. */
function calendarWords(seconds: bigint): number[] {
  const at = new Date(Number(seconds) * 1000);
  return [
    at.getUTCSeconds(),
    at.getUTCMinutes(),
    at.getUTCHours(),
    at.getUTCDate(),
    at.getUTCMonth(),
    at.getUTCFullYear() - 1900,
    at.getUTCDay(),
    daysBefore(at),
    0,
    0,
  ];
}

type HostFunction = (...args: never[]) => unknown;

/** What the engine imports, by module and name. */
export type EngineImports = Readonly<Record<string, Record<string, HostFunction>>>;

/** Gives components UTC, in place of the host's time zone. */
export function useUtc({ a: functions = {} }: EngineImports, memory: WasmMemory): void {
  functions[timeFunctions.local] = (seconds: bigint, pointer: number) => {
    new Int32Array(memory.buffer, pointer, 10).set(calendarWords(seconds));
  };
  functions[timeFunctions.zone] = (offset: number, summer: number, name: number, summerName: number) => {
    const bytes = new DataView(memory.buffer);
    for (const pointer of [offset, summer]) bytes.setInt32(pointer, 0, true);
    for (const pointer of [name, summerName]) new Uint8Array(memory.buffer, pointer, 4).set([85, 84, 67, 0]);
  };
}

/** The name under which `exportTable` exports the engine's table of functions; longer than all other names. */
export const tableName = "functions";

const headerBytes = 8;
const exportSection = 7;
const tableKind = 1;
/** The low bits of a byte of a number, and the bit that says that more bytes follow. */
const sevenBits = 0x7f;
const more = 0x80;

function readNumber(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } {
  const byte = bytes[at] ?? 0;
  if (byte < more) return { value: byte, end: at + 1 };
  const rest = readNumber(bytes, at + 1);
  return { value: (byte & sevenBits) + rest.value * more, end: rest.end };
}

function numberBytes(value: number): number[] {
  const low = value & sevenBits;
  return value > sevenBits ? [low | more, ...numberBytes(value >>> 7)] : [low];
}

/** The engine's code, which also exports its table of functions: the tracker of rejections has to be in it. */
export function exportTable(code: Uint8Array): Uint8Array {
  for (let at = headerBytes; at < code.length;) {
    const size = readNumber(code, at + 1);
    const end = size.end + size.value;
    if (code[at] === exportSection) {
      const count = readNumber(code, size.end);
      const added = [tableName.length, ...Buffer.from(tableName), tableKind, 0];
      const list = [...numberBytes(count.value + 1), ...code.subarray(count.end, end), ...added];
      const section = [exportSection, ...numberBytes(list.length), ...list];
      return Buffer.concat([code.subarray(0, at), Uint8Array.from(section), code.subarray(end)]);
    }
    at = end;
  }
  throw new TypeError("The engine exports nothing");
}

/** Receives a promise that was rejected without a handler, or a reported one that got a handler. Values are the engine's. */
type RejectionListener = (promise: bigint, reason: bigint, isHandled: boolean) => void;

type Tracker = (ctx: number, promise: bigint, reason: bigint, isHandled: number, opaque: number) => void;

/** `(module (import "x" "t" (func (param i32 i64 i64 i32 i32))) (export "t" (func 0)))`: turns a JavaScript function into one of WebAssembly. */
const wrapper = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 9, 1, 0x60, 5, 0x7f, 0x7e, 0x7e, 0x7f, 0x7f, 0, 2, 7, 1, 1, 0x78, 1, 0x74, 0, 0,
  7, 5, 1, 1, 0x74, 0, 0,
]);

/** Returns a function that adds a rejection tracker to an instance's table, and returns its index. */
export async function createTrackerMaker(): Promise<(instance: WasmInstance, report: RejectionListener) => number> {
  const module: WasmModule = await wasm.compile(wrapper);
  return (instance, report) => {
    const tracker: Tracker = (_ctx, promise, reason, isHandled) => report(promise, reason, isHandled !== 0);
    const { exports } = new wasm.Instance(module, { x: { t: tracker } });
    const { [tableName]: table } = instance.exports as { [tableName]: WasmTable };
    const index = table.grow(1);
    table.set(index, (exports as { t: Tracker }).t);
    return index;
  };
}
