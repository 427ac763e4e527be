import { DatabaseSync } from "node:sqlite";

import { expect } from "vitest";

import { type Spawned, spawnX } from "../spawned.cases.ts";

/** A component that counts its requests in its db, and emits the count. */
export const counter = `export default {
  name: "Counter", version: "1",
  props: { http: "$.interface.http", db: "$.service.db", token: { type: "string", secret: true, optional: true } },
  run({ body }) {
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    this.$emit({ n, sent: body.sent, hadToken: this.token?.length === 16, text: "x".repeat(1000) });
  },
};`;

/** Environment and flags of a service in these tests. */
export const countingService = {
  env: { X_API_KEY: "k" },
  flags: ["--port", "0", "--json-logs", "--retention", "100000"],
} as const;

export interface CountingLoad {
  readonly service: Spawned;
  readonly baseUrl: string;
  readonly endpoint: string;
  /** The numbers of the requests that were answered with 200. */
  readonly acknowledged: ReadonlySet<number>;
  /** Resolves when this many more requests have been acknowledged. */
  more(count: number): Promise<void>;
  /** Ends the load; the requests under way are answered. */
  stop(): Promise<void>;
}

/**
 * Starts a service with the counter, in a process of its own, and sends it requests without a pause, with numbers after
 * `from`.
 */
export async function startLoad(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  from = 0,
): Promise<CountingLoad> {
  const service = spawnX(["serve", "counter.js", ...countingService.flags, ...args], {
    cwd,
    env: { ...countingService.env, ...env },
  });
  const [, baseUrl = ""] = await service.printed(/"base_url":"([^"]+)"/);
  const [, endpoint = ""] = await service.printed(/"endpoints":\["([^"]+)"/);
  const acknowledged = new Set<number>();
  const waiting = new Set<() => void>();
  let sent = from;
  const stopping = new AbortController();
  const send = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const number = (sent += 1);
      const response = await fetch(endpoint, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ sent: number }),
      });
      expect(response.status).toBe(200);
      acknowledged.add(number);
      for (const look of waiting) look();
    }
  };
  const senders = Promise.all(Array.from({ length: 6 }, send));
  return {
    service,
    baseUrl,
    endpoint,
    acknowledged,
    more(count) {
      const until = acknowledged.size + count;
      return new Promise((resolve) => {
        const look = (): void => {
          if (acknowledged.size < until) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
      });
    },
    async stop() {
      stopping.abort();
      await senders;
    },
  };
}

/** What a data file has of the counter. */
export interface Counted {
  /** In its db. */
  readonly n: number;
  /** Whether the secret prop was there in each run. */
  readonly hadToken: boolean;
  /** Of its events, in their order. */
  readonly sent: readonly number[];
  /** Requests that wait. */
  readonly waiting: number;
}

export function countIn(file: string): Counted {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec("BEGIN");
    const payloads = database.prepare("SELECT payload FROM event WHERE stream = 0 ORDER BY ms, seq").all();
    const events = payloads.map(
      ({ payload }) => JSON.parse(String(payload)) as { n: number; sent: number; hadToken: boolean },
    );
    expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
    const [value] = database.prepare("SELECT value FROM kv WHERE key = 'n'").all();
    const [inbox] = database.prepare("SELECT count(*) AS count FROM inbox").all();
    return {
      n: Number(value?.["value"] ?? 0),
      hadToken: events.every((event) => event.hadToken),
      sent: events.map(({ sent }) => sent),
      waiting: Number(inbox?.["count"]),
    };
  } finally {
    database.close();
  }
}
