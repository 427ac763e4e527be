import { setTimeout as pause } from "node:timers/promises";

import { repeat } from "../flood/client.ts";
import type { Account } from "../flood/contract.ts";

/** Those who read: lists, executions, and streams that are followed for a while. */
export interface Visitors {
  /** Durations of the answers, without streams, in milliseconds. */
  readonly timesMs: readonly number[];
  readonly streams: number;
  /** Events that streams sent. */
  readonly streamed: number;
  readonly problems: readonly string[];
  /** Reads until the returned function is called. */
  start(paceMs: number): () => Promise<void>;
}

interface Executions {
  readonly data: readonly { readonly execution_id: string }[];
}

export function createVisitors({ url, apiKey }: Account, source: string): Visitors {
  const headers = { authorization: `Bearer ${apiKey}` };
  const timesMs: number[] = [];
  const problems: string[] = [];
  const state = { streams: 0, streamed: 0 };
  const lists = [
    "/users/me",
    "/users/me/sources?limit=100",
    "/users/me/webhooks",
    "/users/me/activity",
    "/users/me/subscriptions",
    "/executions?limit=50",
    `/sources/${source}`,
    `/sources/${source}/event_summaries?expand=event&limit=100`,
    `/sources/${source}/executions?limit=20`,
    "/openapi.json",
  ];

  async function read(path: string): Promise<string> {
    const began = performance.now();
    const answer = await fetch(`${url}/v1${path}`, { headers });
    const text = await answer.text();
    timesMs.push(performance.now() - began);
    if (!answer.ok) problems.push(`GET ${path}: ${answer.status} ${text.slice(0, 200)}`);
    return text;
  }

  async function readExecution(): Promise<void> {
    const { data } = JSON.parse(await read(`/sources/${source}/executions?limit=5`)) as Executions;
    // The oldest ones may be gone when they are read.
    const [first] = data;
    if (first) await read(`/executions/${first.execution_id}`);
  }

  /** Follows a stream for some events or chunks, then leaves without a word. */
  async function follow(path: string, chunks: number): Promise<void> {
    const leaving = new AbortController();
    const answer = await fetch(`${url}/v1${path}`, { headers, signal: leaving.signal });
    state.streams += 1;
    const limit = setTimeout(() => leaving.abort(), 2_000);
    try {
      let left = chunks;
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        state.streamed += chunk.split("\ndata:").length - 1;
        if ((left -= 1) <= 0) break;
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      clearTimeout(limit);
      leaving.abort();
    }
  }

  const streams = [`/sources/${source}/sse?replay=10`, `/sources/${source}/sse`, "/executions/stream"];
  return {
    timesMs,
    get streams() {
      return state.streams;
    },
    get streamed() {
      return state.streamed;
    },
    problems,
    start(paceMs) {
      const stops = [
        repeat(1, async (turn) => {
          const next = pause(paceMs);
          if (turn % 4 === 3) await readExecution();
          else await read(lists[turn % lists.length] ?? "/users/me");
          await next;
        }),
        repeat(2, async (turn) => {
          await follow(streams[turn % streams.length] ?? "", 1 + (turn % 5));
          await pause(paceMs);
        }),
      ];
      return async () => void (await Promise.all(stops.map((stop) => stop())));
    },
  };
}
