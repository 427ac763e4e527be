import { type ReadonlySignal, signal } from "@preact/signals";

const query = matchMedia("(max-width: 760px)");
const current = signal(query.matches);

query.addEventListener("change", () => {
  current.value = query.matches;
});

/** True on a small screen. */
export const isNarrow: ReadonlySignal<boolean> = current;
