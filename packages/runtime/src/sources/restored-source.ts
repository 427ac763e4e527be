import type { RestoredState } from "../api/api.ts";
import { XError, numericId, type Component, type DedupeState, type Limits, type Source } from "@x/model";
import { dedupeState } from "../invocation/dedupe.ts";
import type { Change } from "@x/store";
import { checkSize } from "../data-stores/stored-value.ts";

/** The state of a source that was deployed before, as records. */
export interface RestoredSource {
  /** Key -> JSON text. */
  readonly db: Map<string, string>;
  readonly dedupe: { readonly [channel: string]: DedupeState };
  readonly changes: readonly Change[];
}

/** The records of a restored state. Throws for a db beyond the limits, and for ids without a dedupe strategy. */
export function restoredSource(
  { db: values = {}, dedupeIds = {} }: RestoredState,
  { source, component, limits, now }: { source: Source; component: Component; limits: Limits; now: number },
): RestoredSource {
  const db = new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
  for (const [key, value] of db) checkSize(key, value, limits);
  const { dedupe: strategy } = component.shape;
  const given = Object.entries(dedupeIds);
  if (strategy === undefined && given.length > 0)
    throw new XError("invalid_parameter", ["restored.dedupeIds", "absent: the component has no dedupe", "ids"]);
  const notNumeric = strategy === "greatest" && given.flatMap(([, ids]) => ids).find((id) => !numericId(id));
  if (typeof notNumeric === "string")
    throw new XError("invalid_parameter", ["restored.dedupeIds", "numbers: the component has greatest", notNumeric]);
  const cacheSize = source.settings.dedupeCacheSize ?? limits.dedupeCacheSize;
  const states = given.flatMap(([channel, ids]): [string, DedupeState][] =>
    strategy === undefined || ids.length === 0 ? [] : [[channel, dedupeState(strategy, ids, cacheSize)]],
  );
  const sourceId = source.id;
  return {
    db,
    dedupe: Object.fromEntries(states),
    changes: [
      ...[...db].map(([key, value]): Change => ({ op: "db.set", sourceId, key, value, at: now })),
      ...states.map(([channel, state]): Change => ({ op: "dedupe.set", sourceId, channel, state })),
    ],
  };
}
