import { setTimeout as pause } from "node:timers/promises";

import { deploy, send } from "./client.ts";
import type { Account } from "./contract.ts";
import { post } from "./post.ts";

const code = (number: number): string => `export default {
  name: "Neighbour ${number}", version: "1", props: { db: "$.service.db", http: "$.interface.http" },
  run(event) { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit({ n, body: event.body }); },
};`;

interface Neighbour {
  readonly id: string;
  readonly path: string;
  sent: number;
  acknowledged: number;
}

/** Ordinary sources, each with requests at a constant rate. */
export interface Neighbours {
  /** Answers so far. */
  readonly answered: number;
  /** Durations of their answers since the last call, in milliseconds. */
  takeTimes(): number[];
  /** From when it resolves until the returned function is called, no request is under way. */
  hold(): Promise<() => void>;
  /** Sets the URL of the service. */
  moveTo(target: Account): void;
  stop(): Promise<void>;
  /** Waits for the runs of all acknowledged requests; resolves with problems. */
  judge(): Promise<readonly string[]>;
}

export async function startNeighbours(first: Account, count: number, pauseMs: number): Promise<Neighbours> {
  let target = first;
  const all: Neighbour[] = [];
  for (let number = 0; number < count; number += 1) {
    const { id, endpoint = "" } = await deploy(target, code(number));
    all.push({ id, path: new URL(endpoint).pathname, sent: 0, acknowledged: 0 });
  }
  const state = { going: true, answered: 0 };
  let times: number[] = [];
  let held: Promise<void> | undefined;
  const underWay = new Set<Promise<void>>();
  const askOnce = async (each: Neighbour): Promise<void> => {
    const began = performance.now();
    try {
      each.sent += 1;
      if ((await post(target.url + each.path, `{"sent":${each.sent}}`)) !== 200) return;
      each.acknowledged += 1;
      state.answered += 1;
      times.push(performance.now() - began);
    } catch {
      // The service is being killed or restarted.
    }
  };
  const keepAsking = async (each: Neighbour): Promise<void> => {
    await pause(Math.random() * pauseMs);
    while (state.going) {
      await held;
      // Independent moments: equal pauses would keep together whatever one delay has brought together.
      const next = pause(2 * pauseMs * Math.random());
      const asked = askOnce(each);
      underWay.add(asked);
      await asked;
      underWay.delete(asked);
      await next;
    }
  };
  const asking = Promise.all(all.map(keepAsking));

  async function judgeOne({ id, sent, acknowledged }: Neighbour): Promise<string[]> {
    // Runs of a source are in order: this one counts after all acknowledged ones.
    const ran = await send(target, "POST", `/sources/${id}/run`, { event: {} });
    const { data: run } = JSON.parse(ran.text) as { data?: { status?: string } };
    if (run?.status !== "ok")
      return [`${id}: the run that counts was answered ${ran.status} ${ran.text.slice(0, 300)}`];
    const { text } = await send(target, "GET", `/sources/${id}/event_summaries?expand=event&limit=1`);
    const { data = [] } = JSON.parse(text) as { data?: { event: { n: number } }[] };
    const counted = (data[0]?.event.n ?? 0) - 1;
    if (counted < acknowledged) return [`${id}: ${acknowledged} acknowledged, ${counted} ran`];
    return counted > sent ? [`${id}: ${sent} sent, ${counted} ran`] : [];
  }

  return {
    get answered() {
      return state.answered;
    },
    takeTimes() {
      const taken = times;
      times = [];
      return taken;
    },
    async hold() {
      const holding = Promise.withResolvers<void>();
      held = holding.promise;
      await Promise.all(underWay);
      return () => {
        held = undefined;
        holding.resolve();
      };
    },
    moveTo(next) {
      target = next;
    },
    async stop() {
      state.going = false;
      await asking;
    },
    async judge() {
      const found: string[] = [];
      for (const each of all) found.push(...(await judgeOne(each)));
      return found;
    },
  };
}
