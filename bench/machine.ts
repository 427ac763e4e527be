import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

/** The machine of a measurement. */
export const machine = (): string =>
  `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} cores, Node ${process.version}`;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The limit of the disk: writes of 4 KiB, each followed by an fdatasync, per second. */
export function measureFdatasync(folder: string, ms: number): number {
  const handle = openSync(join(folder, "fdatasync.probe"), "w");
  const page = Buffer.alloc(4096, 1);
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < ms; count += 1) {
    writeSync(handle, page, 0, page.length, (count % 256) * page.length);
    fdatasyncSync(handle);
  }
  closeSync(handle);
  return (count / (performance.now() - start)) * 1000;
}
