import type { CachedSource } from "./lane/source-cache.ts";

/** The id to which a channel compares, as text; empty under "unique". */
export function rememberedId(dedupe: CachedSource["dedupe"], channel: string): { remembered?: string } {
  const state = Object.hasOwn(dedupe, channel) ? dedupe[channel] : undefined;
  const [id] = state === undefined || state.strategy === "unique" ? [] : state.ids;
  return id === undefined ? {} : { remembered: id };
}
