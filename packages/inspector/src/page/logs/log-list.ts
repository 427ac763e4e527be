import type { LogSummary } from "@x/client";
import { type ReadonlySignal, signal } from "@preact/signals";

import { request } from "../api/client.ts";
import { follow, type FollowState } from "../api/follow.ts";
import { logKey, mergedLogs } from "./merged-logs.ts";

/** Which records are listed; an empty text: all. */
export interface LogFilter {
  readonly sourceId: string;
  readonly level: "" | "info" | "warn" | "error";
  readonly search: string;
}

/** The newest log records of all sources, and new ones as they come. */
export interface LogList {
  readonly rows: ReadonlySignal<readonly LogSummary[]>;
  readonly loading: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  readonly state: ReadonlySignal<FollowState>;
  /** False when the search ended before all stored records were read. */
  readonly complete: ReadonlySignal<boolean>;
  /** How many new ones are held back. */
  readonly waiting: ReadonlySignal<number>;
  read(): Promise<void>;
  /** Holds new ones back, or shows them again. */
  hold(held: boolean): void;
  /** Follows the stream. Call the answer to stop. */
  open(): () => void;
}

interface Answer {
  readonly data: readonly LogSummary[];
  readonly complete: boolean;
}

const batchMs = 250;
const readAtOnce = 100;

export function createLogList({ sourceId, level, search }: LogFilter): LogList {
  const rows = signal<readonly LogSummary[]>([]);
  const loading = signal(true);
  const error = signal<unknown>(undefined);
  const state = signal<FollowState>("connecting");
  const complete = signal(true);
  const waiting = signal(0);
  const query = { source_id: sourceId || undefined, level: level || undefined, q: search || undefined };
  let arrived: LogSummary[] = [];
  let held: readonly LogSummary[] = [];
  let isHeld = false;

  function show(): void {
    if (arrived.length === 0 && held.length === 0) return;
    held = mergedLogs(held, arrived);
    arrived = [];
    if (isHeld) waiting.value = held.length;
    else {
      rows.value = mergedLogs(rows.value, held);
      held = [];
      waiting.value = 0;
    }
  }

  async function read(): Promise<void> {
    loading.value = true;
    error.value = undefined;
    try {
      const answer = await request<Answer>("GET", "/logs", { query: { ...query, limit: readAtOnce } });
      const known = new Set(rows.value.map(logKey));
      arrived.push(...answer.data.filter((log) => !known.has(logKey(log))));
      complete.value = answer.complete;
      show();
    } catch (failure) {
      error.value = failure;
    } finally {
      loading.value = false;
    }
  }

  return {
    rows,
    loading,
    error,
    state,
    complete,
    waiting,
    read,
    hold(next) {
      isHeld = next;
      show();
    },
    open() {
      const timer = setInterval(show, batchMs);
      const stop = follow({
        route: "GET /logs/stream",
        parts: { query },
        event({ name, data }) {
          if (name === "message") arrived.push(JSON.parse(data) as LogSummary);
        },
        state(next) {
          state.value = next;
          // What was stored before the stream was open, also after a connection that broke.
          if (next === "open" || next === "off") void read();
        },
      });
      return () => {
        stop();
        clearInterval(timer);
      };
    },
  };
}
