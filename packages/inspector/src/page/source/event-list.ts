import type { EventSummary, PartsOf } from "@x/client";
import { type ReadonlySignal, signal } from "@preact/signals";

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
  /** Loads the next older ones, unless all are there. */
  loadMore(): Promise<void>;
  /** Loads the newest page and follows the stream. Call the answer to stop. */
  open(): () => void;
}

interface EventListOptions {
  /** The path of the list, such as `/sources/dc_x/event_summaries`. */
  readonly path: string;
  readonly expand?: "event";
  /** The source, and which of its events. */
  readonly stream: PartsOf<"GET /sources/{id}/sse">;
}

export function createEventList({ path, expand, stream }: EventListOptions): EventList {
  const events = signal<readonly EventSummary[]>([]);
  const total = signal(0);
  const loading = signal(false);
  const error = signal<unknown>(undefined);
  const live = signal<FollowState>("connecting");
  let stop = new AbortController();
  let ended = false;

  async function load(after: string | undefined): Promise<void> {
    if (loading.value) return;
    loading.value = true;
    error.value = undefined;
    const { signal } = stop;
    try {
      const page = await readPage<EventSummary>(path, { after, expand }, signal);
      total.value = Math.max(page.page_info.total_count, events.value.length);
      events.value = withOlder(events.value, page.data);
      ended = page.data.length === 0 || events.value.length >= page.page_info.total_count;
    } catch (failure) {
      if (!signal.aborted) error.value = failure;
    } finally {
      loading.value = false;
    }
  }

  return {
    events,
    total,
    loading,
    error,
    live,
    async loadMore() {
      const last = events.value.at(-1);
      if (!ended && last) await load(last.id);
    },
    open() {
      stop = new AbortController();
      void load(undefined);
      const stopFollowing = follow({
        route: "GET /sources/{id}/sse",
        parts: stream,
        event({ name, data }) {
          if (name !== "message") return;
          events.value = withNew(events.value, JSON.parse(data) as EventSummary);
          total.value = Math.max(total.value, events.value.length);
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
