const numbers = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof numbers;

interface ReceivedSignal {
  readonly signal: StopSignal;
  readonly atMs: number;
}

/** Longer than npm takes to forward a signal, and shorter than the time between two Ctrl+C of a user. */
const forwardingMs = 500;

/**
 * Whether a signal is a copy of the first. npm forwards signals that a terminal or systemd sends to the whole process group:
 * a process that `npx` or `npm start` has started gets one Ctrl+C twice.
 */
export const isRepeatedSignal = (first: ReceivedSignal, next: ReceivedSignal): boolean =>
  next.signal === first.signal && next.atMs - first.atMs < forwardingMs;

/** Turns the first SIGINT or SIGTERM into an abort; the second ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let first: ReceivedSignal | undefined;
  const receive = (signal: StopSignal): void => {
    const received = { signal, atMs: performance.now() };
    if (first && !isRepeatedSignal(first, received)) process.exit(128 + numbers[signal]);
    first ??= received;
    controller.abort(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, receive);
  return controller.signal;
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
