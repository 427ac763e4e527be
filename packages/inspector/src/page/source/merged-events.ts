import type { StoredEvent } from "../api/shapes.ts";

/** The events that are there, and older ones behind them. */
export function withOlder(known: readonly StoredEvent[], older: readonly StoredEvent[]): readonly StoredEvent[] {
  const seen = new Set(known.map(({ id }) => id));
  return [...known, ...older.filter(({ id }) => !seen.has(id))];
}

/** The events that are there, and one that has come. */
export const withNew = (known: readonly StoredEvent[], event: StoredEvent): readonly StoredEvent[] =>
  known.some(({ id }) => id === event.id) ? known : [event, ...known];
