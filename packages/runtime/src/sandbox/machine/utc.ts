import type { WasmMemory } from "./wasm.ts";

type HostFunction = (...args: never[]) => unknown;

const daysBefore = (at: Date): number =>
  Math.floor(
    (Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()) - Date.UTC(at.getUTCFullYear(), 0)) / 864e5,
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

/**
 * Gives components UTC: replaces the two imported functions of the engine that read the host's time zone. Their names are
 * minified, so their code identifies them. Returns the number of replaced functions.
 */
export function useUtc(imports: object, memory: WasmMemory): number {
  let replaced = 0;
  for (const functions of Object.values(imports) as Record<string, HostFunction>[]) {
    for (const [name, run] of Object.entries(functions)) {
      const text = typeof run === "function" ? String(run) : "";
      if (!text.includes("getTimezoneOffset")) continue;
      functions[name] = text.includes("getSeconds")
        ? (seconds: bigint, pointer: number) => {
            new Int32Array(memory.buffer, pointer, 10).set(calendarWords(seconds));
          }
        : (offset: number, summer: number, name_: number, summerName: number) => {
            const bytes = new DataView(memory.buffer);
            for (const pointer of [offset, summer]) bytes.setInt32(pointer, 0, true);
            for (const pointer of [name_, summerName]) new Uint8Array(memory.buffer, pointer, 4).set([85, 84, 67, 0]);
          };
      replaced += 1;
    }
  }
  return replaced;
}
