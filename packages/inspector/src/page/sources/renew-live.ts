import type { ExecutionSummary } from "@x/client";
import { follow } from "../api/follow.ts";
import type { SourceList } from "./source-list.ts";

const batchMs = 1_000;
const pollMs = 5_000;

/**
 * Keeps the visible sources up to date: every execution that ends renews its source, and all visible ones are read again from
 * time to time, because ticks, queues and hours change by themselves. Call the answer to stop.
 */
export function renewLive(list: SourceList, visible: () => readonly string[]): () => void {
  const changed = new Set<string>();

  const stopFollowing = follow({
    route: "GET /executions/stream",
    parts: {},
    event({ name, data }) {
      if (name !== "message") return;
      const execution = JSON.parse(data) as ExecutionSummary;
      changed.add(execution.source_id);
      list.ended(execution);
    },
  });
  const batching = setInterval(() => {
    if (changed.size === 0) return;
    void list.renew([...changed].filter((id) => visible().includes(id)));
    changed.clear();
  }, batchMs);
  const polling = setInterval(() => {
    if (document.visibilityState === "visible") void list.renew(visible());
  }, pollMs);
  return () => {
    stopFollowing();
    clearInterval(batching);
    clearInterval(polling);
  };
}
