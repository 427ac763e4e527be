import type { CachedSource } from "../lane/source-cache.ts";
import type { LogRecord } from "../../model/model.ts";
import { atOnce } from "../../process/slices.ts";
import type { Appender, Settled, SettleRules } from "../settle.ts";

/** What records leave behind that no call made. */
export type Noted = Pick<Settled, "changes" | "events" | "next"> & {
  readonly execution: { readonly logs: readonly LogRecord[] };
};

export type NoteRules = Pick<SettleRules, "now" | "limits" | "isHeard">;

/** Trims the streams of a few such records; they are few enough to be no work for the thread. */
export function noted(
  { source, dedupe, db }: CachedSource,
  appender: Appender,
  { limits, isHeard }: NoteRules,
  logs: readonly LogRecord[] = [],
): Noted {
  atOnce(appender.trim(limits.retention, isHeard(source)));
  const { changes, events, heads, untrimmed } = appender;
  return { changes, events, execution: { logs }, next: { dedupe, db, heads, untrimmed } };
}
