import type { EventSummary } from "@x/client";

/** What is shown of an event before it is deleted. */
export type RangeEvent = Pick<EventSummary, "id" | "indexed_at_ms" | "metadata">;

/** Which events are meant, by when they were stored; inclusive, and open where a time is absent. */
export interface EventRange {
  /** Epoch ms. */
  readonly since?: number;
  readonly until?: number;
}

/** How many events a range has, with the oldest and the newest of them. */
export interface RangePreview {
  readonly count: number;
  readonly first?: RangeEvent;
  readonly last?: RangeEvent;
}

/** The range between the values of two fields for a local time; a second belongs to the range whole. */
export function rangeOf(since: string, until: string): EventRange {
  const [from, to] = [new Date(since).getTime(), new Date(until).getTime()];
  return { ...(!Number.isNaN(from) && { since: from }), ...(!Number.isNaN(to) && { until: to + 999 }) };
}

/** A preview with the next older events of a stream added. */
export function withEvents(preview: RangePreview, events: readonly RangeEvent[], range: EventRange): RangePreview {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = range;
  const found = events.filter(({ indexed_at_ms: at }) => at >= since && at <= until);
  const [last, first] = [preview.last ?? found[0], found.at(-1) ?? preview.first];
  return { count: preview.count + found.length, ...(first && { first }), ...(last && { last }) };
}

/** True when events behind these, which are older, are before the range. */
export const isPassed = (events: readonly RangeEvent[], { since }: EventRange): boolean =>
  since !== undefined && (events.at(-1)?.indexed_at_ms ?? since) < since;
