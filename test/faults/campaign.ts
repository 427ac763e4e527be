import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";

import { ask, type ServiceChild, startService } from "./service.child.ts";

/** What one run emitted, in parts. */
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

/** A deployed source and everything that was seen of it. */
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

/** What a campaign found; `problems` is empty when everything held. */
export interface CampaignReport {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly runs: number;
  readonly events: number;
  readonly startMs: readonly number[];
  readonly problems: readonly string[];
}

export interface CampaignOptions {
  readonly data: string;
  readonly rounds: number;
  readonly seed: number;
  readonly clients: number;
  /** The kill comes after so many acknowledged requests of a round, at the latest. */
  readonly mostAcknowledged: number;
  readonly report?: (line: string) => void;
}

/** Mulberry32: the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Counts its runs in the db and emits one to three parts that tell the count, the request and each other. */
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

/** Sends requests one after another until the service is gone; remembers those that were answered 2xx. */
async function sendUntilGone(
  url: string,
  targets: readonly Watched[],
  names: () => string,
  heard: () => void,
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
        heard();
      }
      await response.text();
    } catch {
      return;
    }
  }
}

/** Events that came since the last look, oldest first. */
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

/** Everything that must hold of what a source has emitted since the last look. */
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

/** Runs in a lane come in order: when this one has ended, what was waiting before it has, too. */
async function judgeSource(url: string, source: Watched, probe: string): Promise<{ problems: string[]; rows: number }> {
  const event = source.path === undefined ? { timestamp: undefined, body: { id: probe } } : { body: { id: probe } };
  const run = await ask<{ data: { status: string; error: unknown } }>(url, "POST", `/sources/${source.id}/run`, {
    event,
  });
  const rows = await newRows(url, source);
  const problems = judge(source, rows);
  if (run.data.status !== "ok") problems.push(`${source.id}: the probe ended ${JSON.stringify(run.data.error)}`);
  if (!source.seen.has(probe)) problems.push(`${source.id}: the probe ${probe} left no event`);
  return { problems, rows: rows.length };
}

function checkFile(data: string): string[] {
  const database = new DatabaseSync(join(data, "x.db"), { readOnly: true });
  try {
    const answer = database.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
    return answer === "ok" ? [] : [`integrity_check: ${String(answer)}`];
  } finally {
    database.close();
  }
}

/**
 * Kills a loaded service at random moments, starts it again on the same folder, and compares what it stored with what it
 * had acknowledged: nothing lost, nothing twice, no run in part, ids in order, counter = runs.
 */
export async function runKillCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { data, rounds, seed, clients, mostAcknowledged, report = () => undefined } = options;
  const random = createRandom(seed);
  const start = (): Promise<ServiceChild> => startService(data, { args: ["--retention", "1000000"] });
  const problems: string[] = [];
  const startMs: number[] = [];
  let [acknowledged, events, sent] = [0, 0, 0];
  let service = await start();
  const sources = await deployAll(service);
  const targets = sources.filter(({ path }) => path !== undefined);
  for (let round = 1; round <= rounds; round++) {
    const names = (): string => `r${round}-${++sent}`;
    const enough = Promise.withResolvers<void>();
    let due = 1 + Math.floor(random() * mostAcknowledged);
    const heard = (): void => {
      if (--due === 0) enough.resolve();
    };
    const load = Array.from({ length: clients }, (_, client) =>
      sendUntilGone(
        service.url,
        [...targets.slice(client % targets.length), ...targets.slice(0, client % targets.length)],
        names,
        heard,
      ),
    );
    await enough.promise;
    // Somewhere between two answers, not always right after one.
    for (let turns = random() * 50; turns > 0; turns--) await new Promise(setImmediate);
    await service.kill();
    await Promise.all(load);
    const fresh = sources.reduce((sum, source) => sum + source.acknowledged.size, 0);
    service = await start();
    startMs.push(service.startMs);
    let rows = 0;
    for (const source of sources) {
      const judged = await judgeSource(service.url, source, `probe-${round}`);
      problems.push(...judged.problems.map((problem) => `round ${round}: ${problem}`));
      rows += judged.rows;
    }
    if (round % 10 === 0 || round === rounds) problems.push(...checkFile(data));
    acknowledged += fresh;
    events += rows;
    report(
      `round ${round}: ${fresh} acknowledged, ${rows} events, start ${Math.round(service.startMs)} ms, problems ${problems.length}`,
    );
  }
  await service.kill("SIGTERM");
  const runs = sources.reduce((sum, source) => sum + source.runs, 0);
  return { rounds, acknowledged, runs, events, startMs, problems };
}
