import { setTimeout as pause } from "node:timers/promises";

import { checkFile } from "../faults/older-folder.ts";
import { apiKey } from "../faults/service.child.ts";
import { deleteSources, send } from "../flood/client.ts";
import type { Account } from "../flood/contract.ts";
import { type CastOptions, startCast } from "./cast.ts";
import { type Footprint, grownKinds, takeFootprint } from "./footprint.ts";
import { startReceiver } from "./receiver.ts";
import { type Rest, startWatchedService } from "./watched-service.ts";

export interface SoakOptions extends CastOptions {
  /** Two folders: for measurements, and of the service. */
  readonly folder: string;
  readonly data: string;
  /** All of the load, in turns of this length with a rest between two of them. */
  readonly loadMs: number;
  readonly turnMs: number;
  /** The time in which the load fills caches, before the first sample counts. */
  readonly warmMs: number;
  readonly report?: (turn: SoakTurn) => void;
}

/** One turn of load, and the rest after it. */
export interface SoakTurn extends Rest {
  readonly isWarm: boolean;
  readonly requests: number;
  readonly lives: number;
}

export interface SoakReport {
  readonly turns: readonly SoakTurn[];
  /** At rest after the warm-up, with the sockets of the start, and without sources at the end. */
  readonly before: Footprint;
  readonly after: Footprint;
  /** At the start and at the end. */
  readonly resourcesBefore: Rest["resources"];
  readonly resourcesAfter: Rest["resources"];
  /** Durations of the reads of the REST interface. */
  readonly apiMs: readonly number[];
  /** Durations of the answers of endpoints. */
  readonly endpointMs: readonly number[];
  readonly counts: Readonly<Record<string, number>>;
  readonly exitCode: number | null;
  /** Violated guarantees that do not depend on the speed of the machine. */
  readonly problems: readonly string[];
}

/** Rows that stay when all sources are gone, and why. */
export const keptRows: Readonly<Record<string, string>> = {
  user: "the user that the first start makes",
  sealing: "how secrets are encrypted",
  usage: "invocations and compute time of a user, one row for a day",
  component: "saved code stays, because its id may be deployed again",
  text: "the code and the bundles of these components",
  list_position: "where deleted sources and webhooks stood, for cursors that name them",
  sqlite_sequence: "counters of SQLite",
};

const settleLimitMs = 120_000;
const args = ["--network", "allow-private", "--memory", "64mb", "--run-timeout", "1s"];

/** Repeats a look until it finds nothing, or time is up; resolves with what it found last. */
async function settle<T>(look: () => Promise<readonly T[]>): Promise<readonly T[]> {
  const until = performance.now() + settleLimitMs;
  for (;;) {
    const found = await look();
    if (found.length === 0 || performance.now() > until) return found;
    await pause(250);
  }
}

async function deleteAll(account: Account): Promise<void> {
  await deleteSources({ ...account, share: 1 });
  const { text } = await send(account, "GET", "/users/me/webhooks?limit=100");
  for (const { id } of (JSON.parse(text) as { data: { id: string }[] }).data)
    await send(account, "DELETE", `/webhooks/${id}`);
}

const filled = (rows: Footprint["rows"]): Footprint["rows"] =>
  Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0));

/** Loads a service in turns, looks at it at rest, deletes everything, and looks at what is left. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { folder, data, report = () => undefined } = options;
  await using receiver = await startReceiver();
  const service = await startWatchedService(folder, data, args);
  const { pid } = service.process;
  const { resources: resourcesBefore } = await service.rest();
  const { descriptors: atStart } = takeFootprint(pid, data);
  const account = { url: service.url, apiKey };
  const cast = await startCast(account, receiver, options);
  const problems: string[] = [];
  const turns: SoakTurn[] = [];

  const began = performance.now();
  let warm: Footprint | undefined;
  do {
    await cast.load(options.turnMs);
    // What waits for hostile runs.
    const left = await settle(async () => (takeFootprint(pid, data).rows["inbox"] ? ["triggers"] : []));
    if (left.length > 0) problems.push(`triggers wait ${settleLimitMs / 1_000} s after a turn`);
    const isWarm = performance.now() - began >= options.warmMs;
    const turn = { ...(await service.rest()), isWarm, requests: cast.requests, lives: cast.lives };
    if (isWarm) warm ??= takeFootprint(pid, data);
    turns.push(turn);
    report(turn);
  } while (performance.now() - began < options.warmMs + options.loadMs || !warm);

  await cast.stop();
  problems.push(...(await settle(async () => [(await cast.missing()) ?? []].flat())), ...(await cast.judge()));
  const [counts, endpointMs] = [cast.counts(), cast.takeEndpointMs()];

  await deleteAll(account);
  // The connections of the clients are gone by then.
  const before = { ...warm, descriptors: { ...warm.descriptors, socket: atStart["socket"] ?? 0 } };
  let [after, last] = [takeFootprint(pid, data), await service.rest()];
  const look = async (): Promise<readonly string[]> => {
    [after, last] = [takeFootprint(pid, data), await service.rest()];
    return [
      ...grownKinds("descriptors", before.descriptors, after.descriptors),
      ...grownKinds("threads", before.threads, after.threads),
      ...grownKinds("resources", resourcesBefore, last.resources),
      ...grownKinds("rows", {}, filled(after.rows), keptRows),
    ];
  };
  problems.push(...(await settle(look)));
  await service.kill("SIGTERM");
  problems.push(...checkFile(data));
  const { exitCode } = service.process;
  const resourcesAfter = last.resources;
  return {
    turns,
    before,
    after,
    resourcesBefore,
    resourcesAfter,
    apiMs: cast.apiMs,
    endpointMs,
    counts,
    exitCode,
    problems,
  };
}
