import { computed, type ReadonlySignal, signal } from "@preact/signals";

import { manualTime } from "./manual-clock.ts";

const current = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === "visible") current.value = Date.now();
}, 1_000);

/** The time, renewed every second; with a manual clock that of the service. */
export const now: ReadonlySignal<number> = computed(() => manualTime.value ?? current.value);
