import { setTimeout as pause } from "node:timers/promises";

import { repeat } from "../flood/client.ts";
import type { Account } from "../flood/contract.ts";
import { startNeighbours } from "../flood/neighbours.ts";
import { startChain } from "./chain.ts";
import { createChurn } from "./churn.ts";
import { deployHostile } from "./hostile-calls.ts";
import type { Receiver } from "./receiver.ts";
import { createVisitors } from "./visitors.ts";

/** Hostile calls stop before the others: the threads that they ended are warm again when the memory is measured. */
const hostileShare = 3 / 4;

export interface CastOptions {
  /** Between two requests of each of the clients. */
  readonly paceMs: number;
  readonly neighbours: number;
  /** One of this many requests is hostile. */
  readonly hostileEvery: number;
}

/** All who load a service. */
export interface Cast {
  /** Requests that were sent. */
  readonly requests: number;
  /** Sources that came and went. */
  readonly lives: number;
  /** Everybody at once for this time; nothing is under way when it resolves. */
  load(ms: number): Promise<void>;
  /** Ends timers and clients. */
  stop(): Promise<void>;
  /** What has not arrived yet, or wrongly; undefined: nothing. */
  missing(): Promise<string | undefined>;
  /** Violated guarantees, when nothing is missing. */
  judge(): Promise<readonly string[]>;
  /** Durations of the reads of the REST interface, and of the answers of endpoints. */
  readonly apiMs: readonly number[];
  takeEndpointMs(): readonly number[];
  counts(): Readonly<Record<string, number>>;
}

export async function startCast(account: Account, receiver: Receiver, options: CastOptions): Promise<Cast> {
  const { paceMs } = options;
  const chain = await startChain(account, receiver);
  const hostile = await deployHostile(account);
  const churn = createChurn(account, receiver.url);
  const visitors = createVisitors(account, chain.source);
  const neighbours = await startNeighbours(account, options.neighbours, paceMs);
  await churn.warmUp();
  let resume = await neighbours.hold();
  const requests = (): number => neighbours.answered + chain.acknowledged + hostile.sent;

  return {
    get requests() {
      return requests();
    },
    get lives() {
      return churn.lives;
    },
    async load(ms) {
      resume();
      const calmAt = performance.now() + ms * hostileShare;
      const stops = [
        chain.start(paceMs),
        visitors.start(paceMs),
        repeat(1, async () => {
          await churn.live();
          await pause(paceMs);
        }),
        repeat(1, async () => {
          const isDue = hostile.sent * options.hostileEvery < requests();
          if (isDue && performance.now() < calmAt) await hostile.call();
          await pause(paceMs);
        }),
      ];
      await pause(ms);
      [resume] = await Promise.all([neighbours.hold(), ...stops.map((stop) => stop())]);
    },
    async stop() {
      resume();
      await neighbours.stop();
      await chain.still();
    },
    missing: () => chain.judge(),
    judge: async () => [...(await neighbours.judge()), ...churn.problems, ...visitors.problems],
    apiMs: visitors.timesMs,
    takeEndpointMs: () => neighbours.takeTimes(),
    counts: () => ({
      "requests acknowledged": neighbours.answered + chain.acknowledged,
      "events of the chains": chain.emitted,
      "hostile calls": hostile.sent,
      "sources that came and went": churn.lives,
      "deliveries accepted": [...receiver.accepted.values()].flat().length,
      "deliveries refused": receiver.refused,
      "reads of the API": visitors.timesMs.length,
      "streams followed": visitors.streams,
      "events streamed": visitors.streamed,
    }),
  };
}
