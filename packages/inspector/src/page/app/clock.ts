import { type ReadonlySignal, signal } from "@preact/signals";

const current = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === "visible") current.value = Date.now();
}, 1_000);

/** The time, renewed every second. */
export const now: ReadonlySignal<number> = current;
