import { ask } from "./service.child.ts";

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
export interface Watched {
  readonly id: string;
  /** Path of its endpoint; undefined for timers. */
  readonly path: string | undefined;
  readonly acknowledged: Set<string>;
  readonly seen: Set<string>;
  newest: string | undefined;
  runs: number;
  lastTimestamp: number;
  /** Number of the newest request that was sent alone. */
  lastAlone: number;
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

/** Ticks and requests that came one by one run in the order of their time. */
function judgeOrder(source: Watched, { id, timestamp }: Part, say: (problem: string) => void): void {
  if (timestamp !== undefined) {
    if (timestamp <= source.lastTimestamp) say(`tick ${timestamp} follows ${source.lastTimestamp}`);
    source.lastTimestamp = timestamp;
  }
  const alone = Number(/^alone-(\d+)$/.exec(id)?.[1] ?? source.lastAlone);
  if (alone < source.lastAlone) say(`request ${alone} ran after ${source.lastAlone}, which was sent later`);
  source.lastAlone = alone;
}

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
      judgeOrder(source, event, say);
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
export async function judgeSource(
  url: string,
  source: Watched,
  probe: string,
): Promise<{ problems: string[]; rows: number }> {
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
