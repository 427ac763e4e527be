import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

type Counts = Readonly<Record<string, number>>;

/** What a process and its data file hold, in counts by kind. */
export interface Footprint {
  /** Open descriptors by what they lead to; empty where the system does not tell. */
  readonly descriptors: Counts;
  /** Threads by their names. */
  readonly threads: Counts;
  /** Rows by table. */
  readonly rows: Counts;
}

function countBy(names: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Reads what may be gone by then. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Numbers in the names of sockets, pipes and memory do not matter. */
const kindOf = (target: string): string => target.replace(/:\[\d+\]$/, "").replace(/ \(deleted\)$/, "");

/** Rows of every table of the data file in a folder, beside a service that has it open. */
function countRows(data: string): Counts {
  const database = new DatabaseSync(join(data, "x.db"), { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        Number(database.prepare(`SELECT count(*) AS n FROM "${String(name)}"`).get()?.["n"]),
      ]),
    );
  } finally {
    database.close();
  }
}

/** The present footprint of a service. */
export function takeFootprint(pid: number | undefined, data: string): Footprint {
  const folder = `/proc/${pid}`;
  const list = (name: string): readonly string[] => attempt(() => readdirSync(join(folder, name))) ?? [];
  const descriptors = list("fd").map((fd) => attempt(() => kindOf(readlinkSync(join(folder, "fd", fd)))));
  const threads = list("task").map((task) =>
    attempt(() => readFileSync(join(folder, "task", task, "comm"), "utf8").trim()),
  );
  const known = (names: readonly (string | undefined)[]): readonly string[] =>
    names.filter((name): name is string => name !== undefined);
  return { descriptors: countBy(known(descriptors)), threads: countBy(known(threads)), rows: countRows(data) };
}

/** Kinds of which there are more than before, as text; those that may stay are left out. */
export function grownKinds(
  what: string,
  before: Counts,
  after: Counts,
  mayStay: Readonly<Record<string, string>> = {},
): readonly string[] {
  return Object.entries(after)
    .filter(([kind, count]) => !(kind in mayStay) && count > (before[kind] ?? 0))
    .map(([kind, count]) => `${what}: ${count} of ${kind}, ${before[kind] ?? 0} before`);
}
