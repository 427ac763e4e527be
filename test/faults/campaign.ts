import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { createChangingSources } from "./changing-sources.ts";
import { checkFile, createOlderFolders } from "./older-folder.ts";
import { createRandom, type Random } from "./random.ts";
import { type Registrations, startRegistrations } from "./registrations.ts";
import { createRegistryFolder } from "./registry-folder.ts";
import { ask, runAndKill, serveArgs, type ServiceChild, startService } from "./service.child.ts";

/** One event of a run, which emits one or more. */
interface Part {
  readonly n: number;
  readonly id: string;
  readonly part: number;
  readonly of: number;
  readonly timestamp?: number;
}

interface Row {
  readonly id: string;
  readonly event: Part;
}

interface List {
  readonly page_info: { readonly count: number; readonly end_cursor: string };
  readonly data: readonly Row[];
}

/** A deployed source, and all that was observed of it. */
interface Watched {
  readonly id: string;
  /** Path of its endpoint; undefined for timers. */
  readonly path: string | undefined;
  readonly acknowledged: Set<string>;
  readonly seen: Set<string>;
  newest: string | undefined;
  runs: number;
  lastTimestamp: number;
}

/** The result of a campaign; `problems` is empty when all guarantees held. */
export interface CampaignReport {
  /** Kills under load, during starts, during rotations of the secret key, and during starts on folders of older schemas. */
  readonly kills: { readonly load: number; readonly start: number; readonly rotate: number; readonly older: number };
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
  readonly mostAcknowledged: number;
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
    });
  }
  return sources;
}

/** Sends sequential requests until the service has ended; records those that were answered 2xx. */
async function sendUntilGone(
  url: string,
  targets: readonly Watched[],
  names: () => string,
  onAcknowledged: () => void,
): Promise<void> {
  for (let turn = 0; ; turn++) {
    const target = targets[turn % targets.length];
    if (!target?.path) return;
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

/** Events since the last check, oldest first. */
async function newRows(url: string, source: Watched): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ;) {
    const path = `/sources/${source.id}/event_summaries?expand=event&limit=100&after=${cursor}`;
    const { data, page_info: page } = await ask<List>(url, "GET", path);
    const known = data.findIndex((row) => row.id === source.newest);
    rows.push(...(known < 0 ? data : data.slice(0, known)));
    if (known >= 0 || page.count < 100) return rows.toReversed();
    cursor = page.end_cursor;
  }
}

const idNumbers = (id: string): [number, number] => {
  const [ms = 0, sequence = 0] = id.split("-").map(Number);
  return [ms, sequence];
};

/** Checks the events of a source since the last check. */
function judge(source: Watched, rows: readonly Row[]): string[] {
  const problems: string[] = [];
  const say = (problem: string): void => void problems.push(`${source.id}: ${problem}`);
  let expected = 0;
  let parts = 0;
  let current = "";
  for (const { id, event } of rows) {
    const [ms, sequence] = idNumbers(id);
    const [lastMs, lastSequence] = idNumbers(source.newest ?? "0-0");
    if (ms < lastMs || (ms === lastMs && sequence <= lastSequence && source.newest !== undefined))
      say(`event ${id} follows ${source.newest}`);
    source.newest = id;
    if (event.part !== expected) say(`run ${event.n} is torn: part ${event.part} where ${expected} was due`);
    if (event.part === 0) {
      source.runs += 1;
      parts = event.of;
      current = event.id;
      if (event.n !== source.runs) say(`run ${source.runs} counted ${event.n}`);
      if (source.seen.has(event.id)) say(`${event.id} ran twice`);
      source.seen.add(event.id);
      if (event.timestamp !== undefined) {
        if (event.timestamp <= source.lastTimestamp) say(`tick ${event.timestamp} follows ${source.lastTimestamp}`);
        source.lastTimestamp = event.timestamp;
      }
    } else if (event.id !== current) say(`run ${event.n} is torn: ${event.id} inside ${current}`);
    expected = event.part + 1 === parts ? 0 : event.part + 1;
  }
  if (expected !== 0) say(`the newest run is torn: ${expected} of ${parts} parts`);
  for (const id of source.acknowledged) if (!source.seen.has(id)) say(`acknowledged ${id} is lost`);
  source.acknowledged.clear();
  return problems;
}

interface Executions {
  readonly data: readonly { readonly execution_id: string }[];
}

interface ExecutionDetail {
  readonly data: { readonly emitted: readonly { readonly id: string }[] };
}

/** Executions whose events are compared with the stored ones. */
const comparedExecutions = 5;

/** Problems with the newest executions: they and their events are in the same commits. */
async function judgeExecutions(url: string, { id }: Watched): Promise<string[]> {
  const path = `/sources/${id}/executions?limit=${comparedExecutions}`;
  const { data } = await ask<Executions>(url, "GET", path);
  const emitted: string[] = [];
  for (const { execution_id: execution } of data) {
    const detail = await ask<ExecutionDetail>(url, "GET", `/executions/${execution}`);
    emitted.push(...detail.data.emitted.map((event) => event.id).toReversed());
  }
  const stored = (await ask<List>(url, "GET", `/sources/${id}/event_summaries?limit=100`)).data.map((row) => row.id);
  const newest = stored.slice(0, emitted.length);
  // A timer may have run the source between these reads.
  const isUnchanged = JSON.stringify((await ask<Executions>(url, "GET", path)).data) === JSON.stringify(data);
  return !isUnchanged || JSON.stringify(newest) === JSON.stringify(emitted)
    ? []
    : [`${id}: its newest executions emitted ${emitted.join(" ")}, and its newest events are ${newest.join(" ")}`];
}

/** Runs of a source are in order: when this one has ended, all earlier ones have, too. */
async function judgeSource(url: string, source: Watched, probe: string): Promise<{ problems: string[]; rows: number }> {
  const event = source.path === undefined ? { timestamp: undefined, body: { id: probe } } : { body: { id: probe } };
  const run = await ask<{ data: { status: string; error: unknown } }>(url, "POST", `/sources/${source.id}/run`, {
    event,
  });
  const rows = await newRows(url, source);
  const problems = [...judge(source, rows), ...(await judgeExecutions(url, source))];
  if (run.data.status !== "ok") problems.push(`${source.id}: the probe ended ${JSON.stringify(run.data.error)}`);
  if (!source.seen.has(probe))
    problems.push(
      `${source.id}: the probe ${probe} left no event; ${JSON.stringify(run.data)}; ${JSON.stringify(rows.slice(-6))}; newest ${source.newest}`,
    );
  return { problems, rows: rows.length };
}

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
const mostHookCalls = 20;

/** Resolves under load: after a number of answers, or during a hook after a number of hooks. */
async function waitForMoment(
  upstream: Registrations,
  random: Random,
  { answered, changes }: { readonly answered: Promise<void>; readonly changes: Promise<void> },
): Promise<void> {
  const hooks = async (): Promise<void> => {
    for (let left = 1 + random() * mostHookCalls; left > 1; left--) await upstream.next();
  };
  await (random() < 0.4 ? answered : Promise.race([hooks(), changes]));
  // Between two answers, not always right after one.
  for (let turns = random() * 50; turns > 0; turns--) await new Promise(setImmediate);
}

/**
 * Kills a loaded service at random moments, starts it again on the same folder, and compares what it stored with what it
 * had acknowledged: nothing lost, nothing twice, no run in part, ids in order, counter = runs. Sources that are changed all
 * the time are what was answered or what was asked for last, and registered accordingly. Starts, rotations of the secret key
 * and upgrades of older folders are killed, too.
 */
export async function runKillCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { folder, seed, clients, mostAcknowledged, minutes = Infinity, report = () => undefined } = options;
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
  const kills = { load: 0, start: 0, rotate: 0, older: 0 };
  const total = (): number => kills.load + kills.start + kills.rotate + kills.older;
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
    const names = (): string => `r${round}-${++sent}`;
    const enough = Promise.withResolvers<void>();
    let due = 1 + Math.floor(random() * mostAcknowledged);
    const onAcknowledged = (): void => {
      if (--due === 0) enough.resolve();
    };
    const load = Array.from({ length: clients }, (_, client) =>
      sendUntilGone(
        service.url,
        [...targets.slice(client % targets.length), ...targets.slice(0, client % targets.length)],
        names,
        onAcknowledged,
      ),
    );
    const changes = changing.changeUntilGone(service.url);
    await waitForMoment(upstream, random, { answered: enough.promise, changes });
    await service.kill();
    upstream.note(`kill ${round}`);
    kills.load += 1;
    await Promise.all([...load, changes]);
    await killMore(round);
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
