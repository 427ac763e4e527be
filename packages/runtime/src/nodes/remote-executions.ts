import { LRUCache } from "lru-cache";

import type { ExecutionsFilter, StoredExecution } from "../api/executions-api.ts";
import { systemClock, type ExecutionSummary, type Logger } from "@x/model";
import type { LiveExecutions } from "../executions/live-executions.ts";
import type { Store } from "@x/store";

export interface RemoteExecutionsParts {
  readonly store: Pick<Store, "executions">;
  readonly live: LiveExecutions;
  readonly logger: Logger;
}

/** Brings the executions that other nodes commit to the listeners of this node, each once. */
export interface RemoteExecutions extends LiveExecutions {
  /** Something was committed: looks at once. */
  hint(): void;
}

/** How often stored executions are read while somebody listens, and at least how long lies between two reads, in ms. */
const everyMs = 500;
const minMs = 25;
const pageSize = 100;
/** Executions of a user that are known to have been published. */
const maxSeen = 10_000;

interface Tail {
  listeners: number;
  readonly seen: LRUCache<string, true>;
  /** Resolves when what was stored at the beginning is known. */
  readonly begun: Promise<void>;
}

/** Executions that were not seen, oldest first. */
async function readUnseen(
  store: RemoteExecutionsParts["store"],
  userId: string,
  seen: Tail["seen"],
  isFirst: boolean,
): Promise<readonly ExecutionSummary[]> {
  const found: ExecutionSummary[] = [];
  for (let after: string | undefined; ;) {
    const page = { limit: pageSize, ...(after !== undefined && { after }) };
    const { items } = await store.executions(userId, page);
    const fresh = items.filter(({ id }) => !seen.has(id));
    found.push(...fresh);
    for (const { id } of fresh) seen.set(id, true);
    after = items.at(-1)?.id;
    // Commits overtake each other, but never by a whole page.
    if (isFirst || fresh.length < pageSize) return found.toReversed();
  }
}

/** Reads what other nodes have stored, because they do not announce executions without events. */
export function createRemoteExecutions({ store, live, logger }: RemoteExecutionsParts): RemoteExecutions {
  const tails = new Map<string, Tail>();
  let cancel: (() => void) | undefined;
  let isReading = false;

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      for (const [userId, tail] of tails) {
        await tail.begun;
        for (const summary of await readUnseen(store, userId, tail.seen, false)) live.publish(summary, null);
      }
    } catch (error) {
      logger.warn("executions of other nodes could not be read", { error: String(error) });
    } finally {
      isReading = false;
    }
    plan(everyMs);
  }

  function plan(ms: number): void {
    cancel?.();
    cancel = tails.size > 0 ? systemClock.wakeAt(systemClock.now() + ms, () => void read()) : undefined;
  }

  function open(userId: string): Tail {
    const known = tails.get(userId);
    if (known) {
      known.listeners += 1;
      return known;
    }
    const seen = new LRUCache<string, true>({ max: maxSeen });
    const tail: { -readonly [Key in keyof Tail]: Tail[Key] } = { listeners: 1, seen, begun: Promise.resolve() };
    tail.begun = readUnseen(store, userId, seen, true).then(
      () => undefined,
      () => undefined,
    );
    tails.set(userId, tail);
    plan(everyMs);
    return tail;
  }

  function leave(userId: string, tail: Tail): void {
    tail.listeners -= 1;
    if (tail.listeners === 0) tails.delete(userId);
  }

  return {
    ...live,
    publish(summary, commitMs) {
      tails.get(summary.userId)?.seen.set(summary.id, true);
      live.publish(summary, commitMs);
    },
    listen(filter: ExecutionsFilter, userId: string): AsyncIterableIterator<StoredExecution> {
      const tail = open(userId);
      const inner = live.listen(filter, userId);
      let isOver = false;
      const end = (): void => {
        if (!isOver) leave(userId, tail);
        isOver = true;
      };
      return {
        async next() {
          await tail.begun;
          const result = await inner.next();
          if (result.done) end();
          return result;
        },
        async return() {
          end();
          await inner.return?.();
          return { value: undefined, done: true };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
    hint() {
      if (tails.size > 0 && !isReading) plan(minMs);
    },
    close() {
      tails.clear();
      cancel?.();
      live.close();
    },
  };
}
