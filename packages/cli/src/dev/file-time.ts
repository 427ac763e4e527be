import { lstatSync, mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@x/runtime";

/** More than any file system's clock lags, for when it cannot be read. */
const maxLagMs = 1_000;

/**
 * The change time that a file would get now, in epoch milliseconds. The file system has its own clock, which advances in
 * steps and lags: by a few milliseconds, in virtual machines by a hundred.
 */
export function fileTimeNow(): number {
  try {
    const folder = mkdtempSync(join(tmpdir(), "x-time-"));
    const { ctimeMs } = lstatSync(folder);
    rmdirSync(folder);
    return ctimeMs;
  } catch {
    return systemClock.now() - maxLagMs;
  }
}
