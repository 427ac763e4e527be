const numbers = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof numbers;

interface ReceivedSignal {
  readonly signal: StopSignal;
  readonly atMs: number;
}

/** Longer than passing a signal on takes, and shorter than a person waits before asking again. */
const forwardingMs = 500;

/**
 * npm passes on what a terminal, or systemd, has sent to every process of the group: one Ctrl+C comes twice to what `npx` or
 * `npm start` has started.
 */
export const isRepeatedSignal = (first: ReceivedSignal, next: ReceivedSignal): boolean =>
  next.signal === first.signal && next.atMs - first.atMs < forwardingMs;

/** Turns the first SIGINT or SIGTERM into an abort; the second ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let first: ReceivedSignal | undefined;
  const hear = (signal: StopSignal): void => {
    const heard = { signal, atMs: performance.now() };
    if (first && !isRepeatedSignal(first, heard)) process.exit(128 + numbers[signal]);
    first ??= heard;
    controller.abort(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, hear);
  return controller.signal;
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
