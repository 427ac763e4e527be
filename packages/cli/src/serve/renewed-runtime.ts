import { type Logger, type Runtime, systemClock, XError } from "@x/runtime";

export interface RenewalParts {
  readonly stop: AbortSignal;
  readonly logger: Logger;
  /** Makes another runtime after the store of one has failed; absent: none follows. */
  readonly begin?: () => Promise<Runtime>;
  /** Called when a runtime has failed, with undefined, and with the one that follows. */
  replaced(next: Runtime | undefined): void;
  readonly watch?: (runtime: Runtime, ended: AbortSignal) => Promise<void>;
}

/** The runtime of a service: a node that its store has declared dead begins again as a new one. */
export interface RenewedRuntime {
  readonly runtime: Runtime;
  /** Resolves when no runtime follows the one that failed. */
  readonly failed: Promise<XError>;
  close(drainMs: number): Promise<void>;
}

/** Waits between attempts to begin again, in ms. */
const firstWaitMs = 200;
const longestWaitMs = 5_000;

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      stop.removeEventListener("abort", end);
      resolve();
    };
    const cancel = systemClock.wakeAt(systemClock.now() + ms, end);
    stop.addEventListener("abort", end, { once: true });
  });
}

export function renewRuntime(first: Runtime, parts: RenewalParts): RenewedRuntime {
  const { stop, logger, begin } = parts;
  let current = first;
  let ended = new AbortController();
  let watching: Promise<void> | undefined;
  let renewing: Promise<unknown> | undefined;

  function watch(): void {
    ended = new AbortController();
    watching = parts.watch?.(current, ended.signal).catch((error: unknown) => {
      logger.error("failed runs are not logged any more", { error: String(error) });
    });
  }

  /** Another runtime, as soon as the server answers; the error that ends all attempts. */
  async function beginAgain(make: () => Promise<Runtime>): Promise<Runtime | XError> {
    for (let wait = firstWaitMs; !stop.aborted; wait = Math.min(2 * wait, longestWaitMs)) {
      try {
        return await make();
      } catch (error) {
        if (!XError.is(error) || error.code !== "store_unavailable") throw error;
        logger.warn("the store cannot be reached yet", { error: error.message });
      }
      await pause(wait, stop);
    }
    return new XError("closed", []);
  }

  async function renew(failure: XError): Promise<XError | undefined> {
    if (!begin || stop.aborted) return failure;
    logger.warn("the store has given the work of this process to others; it begins again", { error: failure.message });
    parts.replaced(undefined);
    ended.abort();
    await watching;
    await current.close({ drainMs: 0 }).catch(() => undefined);
    const next = await beginAgain(begin);
    if (XError.is(next)) return next;
    current = next;
    parts.replaced(next);
    logger.info("it has begun again");
    watch();
    return undefined;
  }

  async function untilFailed(): Promise<XError> {
    for (;;) {
      const failure = await current.failed;
      const renewal = renew(failure).catch((error: unknown) =>
        XError.is(error) ? error : new XError("store_failed", ["open", String(error)]),
      );
      renewing = renewal;
      const last = await renewal;
      if (last) return last;
    }
  }

  watch();
  return {
    get runtime() {
      return current;
    },
    failed: untilFailed(),
    async close(drainMs) {
      await renewing;
      ended.abort();
      await Promise.all([current.close({ drainMs }), watching]);
    },
  };
}
