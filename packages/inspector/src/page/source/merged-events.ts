import type { EventSummary } from "@x/client";

/** The events that are there, and older ones behind them. */
export function withOlder(known: readonly EventSummary[], older: readonly EventSummary[]): readonly EventSummary[] {
  const seen = new Set(known.map(({ id }) => id));
  return [...known, ...older.filter(({ id }) => !seen.has(id))];
}

/** The events that are there, and one that has come. */
export const withNew = (known: readonly EventSummary[], event: EventSummary): readonly EventSummary[] =>
  known.some(({ id }) => id === event.id) ? known : [event, ...known];
