import { LRUCache } from "lru-cache";

import { compareEventIds, createDispatcher, type EventId, type Logger } from "@x/model";
import type { Live } from "../events/live.ts";
import type { Emitted, Store } from "@x/store";

export interface RemoteEventsParts {
  readonly store: Pick<Store, "source" | "events">;
  readonly live: Pick<Live, "hears" | "publish" | "end">;
  readonly retention: number;
  readonly logger: Logger;
}

/** Brings the events that other nodes commit to the listeners of this node, in their order and each once. */
export interface RemoteEvents {
  /** Undefined: of unknown emitters. Then every listener ends, and continues from the store where it was. */
  emitted(events: readonly Emitted[] | undefined): void;
  /** Resolves when nothing is being read. */
  settled(): Promise<void>;
}

const pageSize = 50;
const pageBytes = 4 * 1024 * 1024;
const maxStreams = 20_000;

const justBefore = ({ ms, seq }: EventId): EventId => ({ ms, seq: seq - 1 });

export function createRemoteEvents({ store, live, retention, logger }: RemoteEventsParts): RemoteEvents {
  const lanes = createDispatcher();
  /** The newest event of each stream that was brought here. */
  const newest = new LRUCache<string, EventId>({ max: maxStreams });

  async function bring(key: string, { emitterId, stream, first }: Emitted): Promise<void> {
    const source = await store.source(emitterId);
    // Deleted meanwhile.
    if (!source) return;
    const known = newest.get(key);
    let last = known && compareEventIds(known, first) >= 0 ? known : justBefore(first);
    for (;;) {
      const { items } = await store.events(emitterId, stream, {
        limit: pageSize,
        bytes: pageBytes,
        before: last,
        retention,
      });
      const [latest] = items;
      if (!latest) return;
      live.publish(items.toReversed().map((event) => ({ event, source })));
      last = latest.id;
      newest.set(key, last);
    }
  }

  return {
    emitted(events) {
      if (!events) {
        live.end();
        return;
      }
      for (const emitted of events) {
        const { emitterId, stream } = emitted;
        if (!live.hears(emitterId, stream)) continue;
        const key = `${emitterId} ${stream}`;
        lanes
          .run(key, () => bring(key, emitted))
          .catch((error: unknown) => {
            logger.warn("events of another node could not be read; their listeners end", {
              source: emitterId,
              error: String(error),
            });
            live.end({ emitterId, stream });
          });
      }
    },
    async settled() {
      await lanes.idle();
    },
  };
}
