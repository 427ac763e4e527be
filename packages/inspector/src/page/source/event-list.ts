import type { EventSummary, PartsOf } from "@x/client";
import { type ReadonlySignal, signal } from "@preact/signals";

import type { Query } from "../api/client.ts";
import { follow, type FollowState } from "../api/follow.ts";
import { readPage } from "../api/pages.ts";
import { withNew, withOlder } from "./merged-events.ts";

/** Events of a source, newest first: those that are stored, loaded as they are needed, and new ones as they come. */
export interface EventList {
  readonly events: ReadonlySignal<readonly EventSummary[]>;
  readonly total: ReadonlySignal<number>;
  readonly loading: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  readonly live: ReadonlySignal<FollowState>;
  /** True when older ones are not loaded yet. */
  readonly hasOlder: ReadonlySignal<boolean>;
  /** Loads the next older ones, unless all are there; the newest ones while none are. */
  loadMore(): Promise<void>;
  /** Loads the newest page and follows the stream. Call the answer to stop. */
  open(): () => void;
}

interface EventListOptions {
  /** The path of the list, such as `/sources/dc_x/event_summaries`. */
  readonly path: string;
  /** What restricts it at the service, and how much of the events comes. */
  readonly query?: Query;
  /** Whether a new event belongs to the list; default: each one does. */
  readonly admits?: (event: EventSummary) => boolean;
  /** The source, and which of its events. */
  readonly stream: PartsOf<"GET /sources/{id}/sse">;
}

export function createEventList({ path, query, admits, stream }: EventListOptions): EventList {
  const events = signal<readonly EventSummary[]>([]);
  const total = signal(0);
  const loading = signal(true);
  const error = signal<unknown>(undefined);
  const live = signal<FollowState>("connecting");
  const hasOlder = signal(false);
  let stop = new AbortController();
  let busy = false;

  async function load(after: string | undefined): Promise<void> {
    if (busy) return;
    busy = true;
    loading.value = true;
    error.value = undefined;
    const { signal } = stop;
    try {
      const page = await readPage<EventSummary>(path, { ...query, after }, signal);
      total.value = Math.max(page.page_info.total_count, events.value.length);
      events.value = withOlder(events.value, page.data);
      hasOlder.value = page.data.length > 0 && events.value.length < page.page_info.total_count;
    } catch (failure) {
      if (!signal.aborted) error.value = failure;
    } finally {
      busy = false;
      loading.value = false;
    }
  }

  return {
    events,
    total,
    loading,
    error,
    live,
    hasOlder,
    async loadMore() {
      const last = events.value.at(-1);
      if (hasOlder.value || !last) await load(last?.id);
    },
    open() {
      stop = new AbortController();
      void load(undefined);
      const stopFollowing = follow({
        route: "GET /sources/{id}/sse",
        parts: stream,
        event({ name, data }) {
          if (name !== "message") return;
          const event = JSON.parse(data) as EventSummary;
          if (admits?.(event) === false) return;
          const known = events.value;
          events.value = withNew(known, event);
          if (events.value !== known) total.value += 1;
        },
        state: (state) => (live.value = state),
      });
      return () => {
        stop.abort();
        stopFollowing();
      };
    },
  };
}
