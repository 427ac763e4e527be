import type { Runtime } from "@x/runtime";

/** When the timer of a source fires next, as messages tell it. */
export async function nextTickOf(
  runtime: Pick<Runtime, "nextTick">,
  id: string | undefined,
): Promise<{ readonly next_tick?: string }> {
  const at = id === undefined ? undefined : await runtime.nextTick(id);
  return at === undefined ? {} : { next_tick: new Date(at).toISOString() };
}
