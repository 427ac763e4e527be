import { lstatSync, mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "@x/runtime";

/** Far more than the clock of a file system lies behind, where it cannot be asked. */
const mostBehindMs = 1_000;

/**
 * When a file that is changed now would be said to have changed, in epoch milliseconds. The system keeps a clock of its own
 * for that, which moves in steps and lies behind: by some milliseconds, in virtual machines by a hundred.
 */
export function fileTimeNow(): number {
  try {
    const made = mkdtempSync(join(tmpdir(), "x-time-"));
    const { ctimeMs } = lstatSync(made);
    rmdirSync(made);
    return ctimeMs;
  } catch {
    return systemClock.now() - mostBehindMs;
  }
}
