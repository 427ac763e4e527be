const numbers = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof numbers;

/** Turns the first SIGINT or SIGTERM into an abort; the second ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const hear = (signal: StopSignal): void => {
    if (controller.signal.aborted) process.exit(128 + numbers[signal]);
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
