import type { StreamRoute } from "@x/client";

import { follow, type FollowOptions } from "./follow.ts";

interface BatchOptions<Route extends StreamRoute, T> extends Pick<FollowOptions<Route>, "route" | "parts" | "state"> {
  readonly everyMs?: number;
  /** Gets what has come since the last time, oldest first. */
  readonly take: (items: readonly T[]) => void;
}

/** Follows the items of a stream until the returned function is called. However many come, they are drawn a few times a second. */
export function followBatches<Route extends StreamRoute, T>(options: BatchOptions<Route, T>): () => void {
  const { everyMs = 250, take, ...stream } = options;
  let waiting: T[] = [];
  const timer = setInterval(() => {
    const items = waiting;
    waiting = [];
    if (items.length > 0) take(items);
  }, everyMs);
  const stop = follow({
    ...stream,
    event({ name, data }) {
      if (name === "message") waiting.push(JSON.parse(data) as T);
    },
  });
  return () => {
    stop();
    clearInterval(timer);
  };
}
