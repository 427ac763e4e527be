import { boundedCache, type RequestEntry } from "@x/model";
import type { Change, Store } from "@x/store";

/** How the last requests to endpoints ended. Refused ones are only in memory: they must not cost the store a commit each. */
export interface RequestLog {
  /** Records a refused request. */
  refused(owner: string, entry: RequestEntry): void;
  /** Records another request, after it was answered. */
  add(owner: string, entry: RequestEntry): void;
  /** Refused ones of this process, newest first. */
  refusedHere(owner: string): readonly RequestEntry[];
  /** Newest first. */
  recent(owner: string): Promise<readonly RequestEntry[]>;
}

export interface RequestLogParts {
  readonly store: Pick<Store, "requests" | "commit">;
  /** Refused ones of other nodes. */
  readonly elsewhere: (owner: string) => Promise<readonly RequestEntry[]>;
}

/** Requests of an endpoint that are shown; older ones are removed. */
const keptRequests = 100;
const keptRefused = 20;
/** Endpoints whose refused requests are remembered. */
const maxOwners = 1_000;

/** What is recorded of a request that began at `at`; times are epoch ms. */
export const requestEntry = (
  outcome: RequestEntry["outcome"],
  at: number,
  now: number,
  reason?: string,
): RequestEntry => ({
  at,
  outcome,
  ...(reason !== undefined && { reason }),
  names: [],
  triggers: 0,
  skipped: 0,
  durationMs: Math.max(0, now - at),
});

/** The changes that record a request. */
export const requestChanges = (owner: string, entry: RequestEntry): readonly Change[] => [
  { op: "request.add", owner, entry },
  { op: "requests.trim", owner, keep: keptRequests },
];

const newestFirst = (entries: readonly RequestEntry[]): RequestEntry[] => entries.toSorted((a, b) => b.at - a.at);

export function createRequestLog({ store, elsewhere }: RequestLogParts): RequestLog {
  const refused = boundedCache<readonly RequestEntry[]>(maxOwners);
  const refusedHere = (owner: string): readonly RequestEntry[] => refused.get(owner) ?? [];
  return {
    refused: (owner, entry) => refused.set(owner, [entry, ...refusedHere(owner)].slice(0, keptRefused)),
    // A record that is lost with the process is no loss: the request had no effect.
    add: (owner, entry) => void store.commit(requestChanges(owner, entry)).catch(() => undefined),
    refusedHere,
    async recent(owner) {
      const [stored, others] = await Promise.all([store.requests(owner, keptRequests), elsewhere(owner)]);
      const all = newestFirst([...refusedHere(owner), ...others]).slice(0, keptRefused);
      return newestFirst([...stored, ...all]);
    },
  };
}
