import { nextEventId, type StoredEvent } from "@x/model";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { Change } from "@x/store";

/** The results of hooks that ran in a former process, for a commit of this process. */
export interface Replayed {
  readonly changes: Change[];
  readonly events: StoredEvent[];
  /** The source after these changes. */
  readonly next: Pick<CachedSource, "dedupe" | "heads" | "db" | "untrimmed">;
}

/** Gives events new ids, after the newest of their streams. No client has seen the former ids. */
export function replay(cached: CachedSource, stored: readonly Change[]): Replayed {
  const heads = { ...cached.heads };
  const db = new Map(cached.db);
  let { dedupe } = cached;
  const events: StoredEvent[] = [];
  const changes = stored.map((change): Change => {
    switch (change.op) {
      case "event.add": {
        const { stream, id } = change.event;
        const event = { ...change.event, id: nextEventId(heads[stream], id.ms) };
        heads[stream] = event.id;
        events.push(event);
        return { ...change, event };
      }
      case "db.set":
        if (change.value === undefined) db.delete(change.key);
        else db.set(change.key, change.value);
        return { ...change, value: change.value };
      case "dedupe.set":
        dedupe = { ...dedupe, [change.channel]: change.state };
        return change;
      default:
        return change;
    }
  });
  return { changes, events, next: { dedupe, heads, db, untrimmed: new Map(cached.untrimmed) } };
}
