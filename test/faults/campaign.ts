import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { createChangingSources } from "./changing-sources.ts";
import { judgeSource, type Watched } from "./judge.ts";
import { checkFile, createOlderFolders } from "./older-folder.ts";
import { createRandom, type Random } from "./random.ts";
import { type Registrations, startRegistrations } from "./registrations.ts";
import { createRegistryFolder } from "./registry-folder.ts";
import { ask, runAndKill, serveArgs, type ServiceChild, startService } from "./service.child.ts";

/** The result of a campaign; `problems` is empty when all guarantees held. */
export interface CampaignReport {
  /**
   * Kills under load, while requests came one by one, during starts, during rotations of the secret key, and during starts on
   * folders of older schemas.
   */
  readonly kills: {
    readonly load: number;
    readonly alone: number;
    readonly start: number;
    readonly rotate: number;
    readonly older: number;
  };
  /** Changes of sources: acknowledged; interrupted; and interrupted ones that were undone. */
  readonly changes: { readonly acknowledged: number; readonly cutOff: number; readonly undone: number };
  /** Hooks that called the service at which sources register. */
  readonly hooks: number;
  readonly acknowledged: number;
  readonly runs: number;
  readonly events: number;
  readonly startMs: readonly number[];
  readonly problems: readonly string[];
}

export interface CampaignOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly kills: number;
  /** Maximum duration. */
  readonly minutes?: number;
  readonly seed: number;
  readonly clients: number;
  /** Maximum number of acknowledged requests in a round before the kill. */
  readonly maxAcknowledged: number;
  readonly report?: (line: string) => void;
}

/** Counts its runs in the db; each run emits one to three parts with the count and the id of the request. */
function componentText(name: string, kind: "default" | "custom" | "timer", dedupe: "" | "unique"): string {
  const prop =
    kind === "timer"
      ? `timer: { type: "$.interface.timer", default: { intervalSeconds: 1 } }`
      : `http: { type: "$.interface.http", customResponse: ${kind === "custom"} }`;
  return `export default {
  name: "${name}", version: "1", ${dedupe === "" ? "" : `dedupe: "${dedupe}",`}
  props: { db: "$.service.db", ${prop} },
  async run(event) {
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    const id = event.body?.id ?? "tick-" + event.timestamp;
    const of = 1 + (n % 3);
    for (let part = 0; part < of; part++) {
      this.$emit({ n, id, part, of, timestamp: event.timestamp }, { id: id + "/" + part });
      await null;
    }
    ${kind === "custom" ? "if (event.method) this.http.respond({ status: 200, body: { n } });" : ""}
  },
};`;
}

const kinds = [
  ["default", ""],
  ["default", "unique"],
  ["default", "unique"],
  ["custom", ""],
  ["custom", "unique"],
  ["custom", "unique"],
  ["timer", ""],
  ["timer", "unique"],
] as const;

async function deployAll(service: ServiceChild): Promise<Watched[]> {
  const sources: Watched[] = [];
  for (const [index, [kind, dedupe]] of kinds.entries()) {
    const code = componentText(`${kind} ${index}`, kind, dedupe);
    const { data } = await ask<{ data: { id: string; configured_props: { http?: { endpoint_url: string } } } }>(
      service.url,
      "POST",
      "/sources",
      { component_code: code },
    );
    const endpoint = data.configured_props.http?.endpoint_url;
    sources.push({
      id: data.id,
      path: endpoint === undefined ? undefined : new URL(endpoint).pathname,
      acknowledged: new Set(),
      seen: new Set(),
      newest: undefined,
      runs: 0,
      lastTimestamp: 0,
      lastAlone: 0,
    });
  }
  return sources;
}

interface Sending {
  readonly url: string;
  names(): string;
  onAcknowledged(): void;
  /** Ms between an answer and the next request. */
  restMs(): number;
}

/** Sends sequential requests until the service has ended; records those that were answered 2xx. */
async function sendUntilGone(
  targets: readonly Watched[],
  { url, names, onAcknowledged, restMs }: Sending,
): Promise<void> {
  for (let turn = 0; ; turn++) {
    const target = targets[turn % targets.length];
    if (!target?.path) return;
    const rest = restMs();
    if (rest > 0) await pause(rest);
    const id = names();
    try {
      const response = await fetch(url + target.path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id }),
      });
      // The status line is the promise; the body may be cut off by the kill.
      if (response.ok) {
        target.acknowledged.add(id);
        onAcknowledged();
      }
      await response.text();
    } catch {
      return;
    }
  }
}

/** Most requests of a round that come one by one, and most ms between them, which sources with a timer fill. */
const maxAlone = 20;
const maxRestMs = 40;
/** A run alone takes about so many ms. */
const aloneMs = 12;

/** What else is killed, by round. */
const beside = ["start", "rotate", "start", undefined] as const;
/** Approximate duration of a rotation. */
const rotationMs = 500;
/** Approximate additional duration of a start on an older folder. */
const upgradeFactor = 1.5;
/** One of this many kills is of a start on an older folder. */
const killsPerOlder = 8;
const changingSources = 4;
const registryFiles = 24;
const maxHookCalls = 20;

/** Resolves under load: after a number of answers, or during a hook after a number of hooks. */
async function waitForMoment(
  upstream: Registrations,
  random: Random,
  { answered, changes }: { readonly answered: Promise<void>; readonly changes: Promise<void> },
): Promise<void> {
  const hooks = async (): Promise<void> => {
    for (let left = 1 + random() * maxHookCalls; left > 1; left--) await upstream.next();
  };
  await (random() < 0.4 ? answered : Promise.race([hooks(), changes]));
  // Between two answers, not always right after one.
  for (let turns = random() * 50; turns > 0; turns--) await new Promise(setImmediate);
}

/** Half of the kills are of other rounds: after rounds under load, other programs are killed, too. */
const isLoaded = (round: number): boolean => round % 3 === 1;

interface Victim {
  readonly service: ServiceChild;
  readonly targets: readonly Watched[];
  names(): string;
  readonly random: Random;
  /** Called right after the kill. */
  killed(): void;
}

interface LoadOptions extends Pick<CampaignOptions, "clients" | "maxAcknowledged"> {
  readonly upstream: Registrations;
  readonly changing: ReturnType<typeof createChangingSources>;
}

/** Kills the service under the load of many clients and changes of sources. */
async function killUnderLoad(
  { service, targets, names, random, killed }: Victim,
  { clients, maxAcknowledged, upstream, changing }: LoadOptions,
): Promise<void> {
  const enough = Promise.withResolvers<void>();
  let due = 1 + Math.floor(random() * maxAcknowledged);
  const sending: Sending = {
    url: service.url,
    names,
    onAcknowledged: () => (--due === 0 ? enough.resolve() : undefined),
    restMs: () => 0,
  };
  const load = Array.from({ length: clients }, (_, client) =>
    sendUntilGone([...targets.slice(client % targets.length), ...targets.slice(0, client % targets.length)], sending),
  );
  const changes = changing.changeUntilGone(service.url);
  await waitForMoment(upstream, random, { answered: enough.promise, changes });
  await service.kill();
  killed();
  await Promise.all([...load, changes]);
}

/** Kills the service while requests come one by one to idle sources, soon after one was sent. */
async function killAlone({ service, targets, names, random, killed }: Victim): Promise<void> {
  const moment = Promise.withResolvers<void>();
  let due = 1 + Math.floor(random() * maxAlone);
  const load = sendUntilGone(targets, {
    url: service.url,
    names() {
      if (--due === 0) moment.resolve();
      return names();
    },
    onAcknowledged: () => undefined,
    restMs: () => random() * maxRestMs,
  });
  await moment.promise;
  await pause(random() * aloneMs);
  await service.kill();
  killed();
  await load;
}

/**
 * Kills a loaded service at random moments, starts it again on the same folder, and compares what it stored with what it
 * had acknowledged: nothing lost, nothing twice, no run in part, ids in order, counter = runs. Sources that are changed all
 * the time are what was answered or what was asked for last, and registered accordingly. Starts, rotations of the secret key
 * and upgrades of older folders are killed, too.
 */
export async function runKillCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { folder, seed, clients, maxAcknowledged, minutes = Infinity, report = () => undefined } = options;
  const until = performance.now() + minutes * 60_000;
  const random = createRandom(seed);
  const [data, shelves] = [join(folder, "data"), join(folder, "registry")];
  mkdirSync(shelves);
  await using upstream = await startRegistrations();
  const registry = createRegistryFolder(shelves, registryFiles, random);
  const older = await createOlderFolders(folder, random);
  const changing = createChangingSources(changingSources, upstream, random);
  const args = ["--retention", "1000000", "--network", "allow-private", "--registry", shelves];
  const start = (): Promise<ServiceChild> => startService(data, { args });
  const problems: string[] = [];
  const startMs: number[] = [];
  const kills = { load: 0, alone: 0, start: 0, rotate: 0, older: 0 };
  const total = (): number => Object.values(kills).reduce((sum, count) => sum + count, 0);
  let [acknowledged, events, sent] = [0, 0, 0];
  let service = await start();
  const sources = await deployAll(service);
  const targets = sources.filter(({ path }) => path !== undefined);

  /** What else is killed before the next start. */
  async function killMore(round: number): Promise<void> {
    registry.change();
    const which = beside[(round - 1) % beside.length];
    if (which === "rotate") {
      await runAndKill(["secret-key", "rotate", "--data", data], random() * rotationMs);
      kills.rotate += 1;
    } else if (which === "start") {
      await runAndKill(serveArgs(data, args), random() * (startMs.at(-1) ?? service.startMs));
      upstream.note(`killed start ${round}`);
      kills.start += 1;
    }
    if (kills.older * killsPerOlder > total()) return;
    const count = 1 + Math.floor(random() * 2);
    for (const problem of await older.killStarts(count, upgradeFactor * service.startMs)) {
      problems.push(problem);
      report(`PROBLEM in ${problem}`);
    }
    kills.older += count;
  }

  for (let round = 1; total() < options.kills && performance.now() < until; round++) {
    const names = (): string => (isLoaded(round) ? `r${round}-${++sent}` : `alone-${++sent}`);
    const victim = { service, targets, names, random, killed: () => upstream.note(`kill ${round}`) };
    if (isLoaded(round)) {
      await killUnderLoad(victim, { clients, maxAcknowledged, upstream, changing });
      kills.load += 1;
    } else {
      await killAlone(victim);
      kills.alone += 1;
    }
    if (isLoaded(round)) await killMore((round + 2) / 3);
    const fresh = sources.reduce((sum, source) => sum + source.acknowledged.size, 0);
    service = await start();
    startMs.push(service.startMs);
    let rows = 0;
    const found: string[] = [];
    for (const source of sources) {
      const judged = await judgeSource(service.url, source, `probe-${round}`);
      found.push(...judged.problems);
      rows += judged.rows;
    }
    found.push(...(await changing.judge(service.url)), ...(await registry.judge(service.url)), ...checkFile(data));
    for (const problem of found) {
      problems.push(`round ${round}: ${problem}`);
      report(`PROBLEM in round ${round}: ${problem}`);
    }
    if (found.length > 0) report(service.log());
    acknowledged += fresh;
    events += rows;
    const { acknowledged: changed, cutOff } = changing.counts;
    report(
      `round ${round}, ${total()} kills: ${fresh} acknowledged, ${rows} events, ${changed} changes, ${cutOff} cut off, start ${Math.round(service.startMs)} ms, problems ${problems.length}`,
    );
  }
  await service.kill("SIGTERM");
  const runs = sources.reduce((sum, source) => sum + source.runs, 0);
  const { counts } = changing;
  return { kills, changes: counts, hooks: upstream.calls.length, acknowledged, runs, events, startMs, problems };
}
