import type { LogSummary } from "@x/client";
import { type ReadonlySignal, signal } from "@preact/signals";

import { request } from "../api/client.ts";
import { pageSize, readPage } from "../api/pages.ts";
import { followBatches } from "../api/follow-batches.ts";
import type { FollowState } from "../api/follow.ts";
import { pathOfEmitter } from "../runs/run-links.ts";
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
  /** Reads older ones, where the service lists them: those of one source or workflow, without another restriction. */
  readOlder(): Promise<void>;
  /** Holds new ones back, or shows them again. */
  hold(held: boolean): void;
  /** Follows the stream. Call the answer to stop. */
  open(): () => void;
}

interface Answer {
  readonly data: readonly LogSummary[];
  readonly complete: boolean;
}

export function createLogList({ sourceId, level, search }: LogFilter): LogList {
  const rows = signal<readonly LogSummary[]>([]);
  const loading = signal(true);
  const error = signal<unknown>(undefined);
  const state = signal<FollowState>("connecting");
  const complete = signal(true);
  const waiting = signal(0);
  const query = { source_id: sourceId || undefined, level: level || undefined, q: search || undefined };
  let held: readonly LogSummary[] = [];
  let isHeld = false;
  let isWhole = sourceId === "" || level !== "" || search !== "";

  function add(arrived: readonly LogSummary[]): void {
    held = mergedLogs(held, arrived);
    if (held.length === 0) return;
    if (isHeld) waiting.value = held.length;
    else {
      rows.value = mergedLogs(rows.value, held);
      held = [];
      waiting.value = 0;
    }
  }

  async function whileLoading(load: () => Promise<void>): Promise<void> {
    loading.value = true;
    error.value = undefined;
    try {
      await load();
    } catch (failure) {
      error.value = failure;
    } finally {
      loading.value = false;
    }
  }

  const unknown = (logs: readonly LogSummary[]): readonly LogSummary[] => {
    const known = new Set(rows.value.map(logKey));
    return logs.filter((log) => !known.has(logKey(log)));
  };

  const read = (): Promise<void> =>
    whileLoading(async () => {
      const answer = await request<Answer>("GET", "/logs", { query: { ...query, limit: pageSize } });
      complete.value = answer.complete;
      add(unknown(answer.data));
    });

  async function readOlder(): Promise<void> {
    const after = rows.value.at(-1)?.id;
    if (isWhole || loading.value || after === undefined) return;
    await whileLoading(async () => {
      const { data } = await readPage<LogSummary>(`${pathOfEmitter(sourceId)}/$logs/event_summaries`, {
        expand: "event",
        after,
      });
      isWhole = data.length === 0;
      rows.value = [...rows.value, ...unknown(data)];
    });
  }

  return {
    rows,
    loading,
    error,
    state,
    complete,
    waiting,
    read,
    readOlder,
    hold(next) {
      isHeld = next;
      add([]);
    },
    open: () =>
      followBatches({
        route: "GET /logs/stream",
        parts: { query },
        take: add,
        state(next) {
          state.value = next;
          // What was stored before the stream was open, also after a connection that broke.
          if (next === "open" || next === "off") void read();
        },
      }),
  };
}
