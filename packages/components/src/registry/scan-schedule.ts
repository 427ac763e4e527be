import { systemClock } from "@x/model";

/** Milliseconds without a change before a scan, so that one scan covers a series of writes. */
const debounceMs = 60;
/** Longest wait for a scan when files change all the time. */
const longestWaitMs = 1_000;

/** Runs the scans of a registry one after another. */
export interface ScanSchedule {
  /** A file has changed: a scan follows soon. */
  changed(): void;
  /** Begins a scan, after the one that runs. */
  start(): void;
  /** True between a change and its scan. */
  readonly isWaiting: boolean;
  /** Resolves when no scan runs. */
  idle(): Promise<void>;
  close(): void;
}

/** `scan` must not reject. */
export function createScanSchedule(scan: () => Promise<void>): ScanSchedule {
  let cancel: (() => void) | undefined;
  let changedAt: number | undefined;
  let scanning: Promise<void> | undefined;
  let isDirty = false;
  let closed = false;

  function start(): void {
    cancel?.();
    cancel = undefined;
    changedAt = undefined;
    isDirty = true;
    scanning ??= scanWhileDirty().finally(() => (scanning = undefined));
  }

  async function scanWhileDirty(): Promise<void> {
    for (;;) {
      if (!isDirty || closed) return;
      isDirty = false;
      await scan();
    }
  }

  return {
    changed() {
      if (closed) return;
      cancel?.();
      // Real time: a manual clock does not affect the file system.
      const now = systemClock.now();
      changedAt ??= now;
      cancel = systemClock.wakeAt(Math.min(now + debounceMs, changedAt + longestWaitMs), start);
    },
    start,
    get isWaiting() {
      return cancel !== undefined;
    },
    idle: async () => scanning,
    close() {
      closed = true;
      cancel?.();
    },
  };
}
