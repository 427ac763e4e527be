import { setTimeout as pause } from "node:timers/promises";

import type { Deployed } from "./sources.ts";

/** The requests of one source, as its only client saw them. */
export interface Sent {
  /** Numbers of its requests, in order: `id` is `label-number`. */
  readonly acknowledged: number[];
  total: number;
}

/** One client for each source with an endpoint; it sends the next request after the answer to the last one. */
export interface Load {
  readonly sent: ReadonlyMap<string, Sent>;
  /** Answers with a status of 500 or more, with their times, and of other failures. */
  readonly failures: readonly { readonly at: number; readonly what: string }[];
  stop(): Promise<void>;
}

export function startLoad(url: string, sources: readonly Deployed[], paceMs: number): Load {
  const sent = new Map<string, Sent>();
  const failures: { at: number; what: string }[] = [];
  const state = { going: true };

  async function keepSending({ label, path }: Deployed, of: Sent): Promise<void> {
    await pause(Math.random() * paceMs);
    while (state.going) {
      const next = pause(paceMs);
      const number = (of.total += 1);
      try {
        const response = await fetch(url + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ id: `${label}-${number}` }),
        });
        // The status line is the promise.
        if (response.ok) of.acknowledged.push(number);
        const text = await response.text();
        if (!response.ok) failures.push({ at: performance.now(), what: `${label} ${response.status} ${text}` });
      } catch (error) {
        failures.push({ at: performance.now(), what: `${label} ${String(error)}` });
      }
      await next;
    }
  }

  const clients = sources
    .filter(({ path }) => path !== undefined)
    .map((source) => {
      const of: Sent = { acknowledged: [], total: 0 };
      sent.set(source.label, of);
      return keepSending(source, of);
    });
  return {
    sent,
    failures,
    async stop() {
      state.going = false;
      await Promise.all(clients);
    },
  };
}
