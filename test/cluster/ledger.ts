import { ask } from "../faults/service.child.ts";
import type { Load } from "./load.ts";
import type { Referee, Run } from "./referee.ts";
import type { Deployed, Payload } from "./sources.ts";

interface Row {
  readonly id: string;
  readonly event: Payload;
}

interface List {
  readonly page_info: { readonly count: number; readonly end_cursor: string };
  readonly data: readonly Row[];
}

/** All events of one source, oldest first. */
interface Account {
  readonly source: Deployed;
  readonly payloads: Payload[];
  /** Ids of the events. */
  readonly ids: string[];
}

/** Compares what is stored with what clients, components and receivers saw. */
export interface Ledger {
  /** Reads the events since the last call; resolves with violations of guarantees that show in them. */
  read(): Promise<readonly string[]>;
  /** When everything has come to rest: what must be complete by now. */
  close(load: Load, referee: Referee): Promise<readonly string[]>;
  /** What is still missing before `close` can judge; undefined: nothing. */
  missing(load: Load, referee: Referee): string | undefined;
  /** Runs that were committed. */
  committed(): ReadonlySet<number>;
  /** Ids of the events of a source. */
  ids(label: string): readonly string[];
  readonly events: number;
  /** Attempts of requests that ran although they were not answered 2xx. */
  readonly unanswered: number;
}

const parts = (id: string): [number, number] => {
  const [ms = 0, sequence = 0] = id.split("-").map(Number);
  return [ms, sequence];
};
const isAfter = (id: string, other: string): boolean => {
  const [[ms, sequence], [otherMs, otherSequence]] = [parts(id), parts(other)];
  return ms > otherMs || (ms === otherMs && sequence > otherSequence);
};

async function newRows(url: string, { source, ids }: Account): Promise<Row[]> {
  const newest = ids.at(-1);
  const rows: Row[] = [];
  for (let cursor = ""; ;) {
    const path = `/sources/${source.id}/event_summaries?expand=event&limit=100&after=${cursor}`;
    const { data, page_info: page } = await ask<List>(url, "GET", path);
    const known = data.findIndex((row) => row.id === newest);
    rows.push(...(known < 0 ? data : data.slice(0, known)));
    if (known >= 0 || page.count < 100) return rows.toReversed();
    cursor = page.end_cursor;
  }
}

/** Adds rows to an account; returns what is wrong with them. */
function enter({ source, payloads, ids }: Account, rows: readonly Row[]): string[] {
  const problems: string[] = [];
  const say = (problem: string): void => void problems.push(`${source.label}: ${problem}`);
  for (const { id, event } of rows) {
    const [last, lastId] = [payloads.at(-1), ids.at(-1)];
    if (lastId !== undefined && !isAfter(id, lastId)) say(`event ${id} follows ${lastId}`);
    if (event.n !== payloads.length + 1) say(`event ${id} counted ${event.n} where ${payloads.length + 1} was due`);
    if (source.emitter !== undefined && event.from !== (last?.from ?? 0) + 1)
      say(`event ${String(event.from)} of ${source.emitter} follows its event ${String(last?.from)}`);
    if (event.timestamp !== undefined && event.timestamp <= (last?.timestamp ?? 0))
      say(`tick ${event.timestamp} follows ${String(last?.timestamp)}`);
    payloads.push(event);
    ids.push(id);
  }
  return problems;
}

/** Requests: none acknowledged is lost, no attempt ran twice, those acknowledged ran in order. */
function judgeRequests({ source, payloads }: Account, load: Load): { problems: string[]; unanswered: number } {
  const sent = load.sent.get(source.label);
  if (!sent) return { problems: [], unanswered: 0 };
  const problems: string[] = [];
  const attempts = new Map<string, string[]>();
  for (const { id = "", attempt = "" } of payloads) {
    const known = attempts.get(id) ?? [];
    if (known.includes(attempt)) problems.push(`${source.label}: attempt ${attempt} of ${id} ran twice`);
    attempts.set(id, [...known, attempt]);
  }
  for (const number of sent.acknowledged) {
    if (!attempts.has(`${source.label}-${number}`)) problems.push(`${source.label}: acknowledged ${number} is lost`);
  }
  // The first run of a request that was acknowledged is not later than its acknowledgement, hence before the next one's.
  const acknowledged = new Set(sent.acknowledged);
  const order = payloads
    .map(({ id = "" }) => Number(id.split("-").at(-1)))
    .filter((number) => acknowledged.has(number));
  const last = new Map(order.map((number, index) => [number, index]));
  let newest = 0;
  for (const [index, number] of order.entries()) {
    if (number < newest && last.get(number) === index && order.indexOf(number) === index)
      problems.push(`${source.label}: request ${number} ran after ${newest}`);
    newest = Math.max(newest, number);
  }
  const runs = [...attempts.values()].reduce((sum, each) => sum + each.length, 0);
  const answered = sent.acknowledged.filter((number) => attempts.has(`${source.label}-${number}`)).length;
  return { problems, unanswered: runs - answered };
}

export function createLedger(url: string, sources: readonly Deployed[]): Ledger {
  const accounts = sources.map((source): Account => ({ source, payloads: [], ids: [] }));
  const byLabel = new Map(accounts.map((account) => [account.source.label, account]));
  const committed = new Set<number>();
  let unanswered = 0;

  async function read(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const account of accounts) {
      const rows = await newRows(url, account);
      problems.push(...enter(account, rows));
      for (const { event } of rows) {
        if (committed.has(event.run)) problems.push(`${account.source.label}: run ${event.run} was committed twice`);
        committed.add(event.run);
      }
    }
    return problems;
  }

  function missing(load: Load, referee: Referee): string | undefined {
    for (const { source, payloads } of accounts) {
      const emitted = byLabel.get(source.emitter ?? "")?.payloads.length ?? 0;
      if ((payloads.at(-1)?.from ?? 0) < emitted) return `${source.label} has not run for event ${emitted}`;
      const newest = load.sent.get(source.label)?.acknowledged.at(-1);
      if (newest !== undefined && !payloads.some(({ id }) => id === `${source.label}-${newest}`))
        return `${source.label} has not run for request ${newest}`;
    }
    const delivered = new Set(referee.received.map(({ webhook, n }) => `${webhook} ${n}`));
    for (const { source, payloads } of accounts) {
      if (source.webhook === undefined) continue;
      const left = payloads.find(({ n }) => !delivered.has(`${source.webhook} ${n}`));
      if (left) return `${source.webhook} has not received event ${left.n} of ${source.label}`;
    }
    return undefined;
  }

  async function close(load: Load, referee: Referee): Promise<readonly string[]> {
    const problems: string[] = [];
    unanswered = 0;
    for (const account of accounts) {
      const { source, payloads } = account;
      const judged = judgeRequests(account, load);
      problems.push(...judged.problems);
      unanswered += judged.unanswered;
      const counter = await ask<{ data: { value: number } }>(url, "GET", `/sources/${source.id}/db/n`);
      if (counter.data.value !== payloads.length)
        problems.push(
          `${source.label}: its db counted ${counter.data.value} runs, and it has ${payloads.length} events`,
        );
    }
    const left = missing(load, referee);
    return left === undefined ? problems : [...problems, left];
  }

  return {
    read,
    missing,
    close,
    committed: () => committed,
    ids: (label) => byLabel.get(label)?.ids ?? [],
    get events() {
      return accounts.reduce((sum, { ids }) => sum + ids.length, 0);
    },
    get unanswered() {
      return unanswered;
    },
  };
}

/** Runs of one source that overlapped: of two committed ones, and of one whose effects were refused. */
export function judgeOverlaps(
  { overlaps }: Pick<Referee, "overlaps">,
  committed: ReadonlySet<number>,
  isExcused: (run: Run, at: number) => boolean,
): { readonly problems: readonly string[]; readonly refused: number } {
  const problems: string[] = [];
  let refused = 0;
  for (const { earlier, later } of overlaps) {
    const [first, second] = [committed.has(earlier.number), committed.has(later.number)];
    const names = `runs ${earlier.number} at node ${earlier.node} and ${later.number} at node ${later.node}`;
    if (first && second) problems.push(`${later.source}: ${names} overlapped, and both were committed`);
    else if (isExcused(first ? later : earlier, later.beganAt)) refused += 1;
    else problems.push(`${later.source}: ${names} overlapped without a reason`);
  }
  return { problems, refused };
}
