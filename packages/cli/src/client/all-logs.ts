import type { LogSummary, PartsOf } from "@x/client";

import type { Arguments } from "../arguments/arguments.ts";
import { parseChoice } from "../arguments/quantity.ts";
import { jsonText } from "../terminal/visible.ts";
import { findEmitter, listEmitters } from "./emitters.ts";
import { readEvent, tellState } from "./event-stream.ts";
import { printNone } from "./output.ts";
import type { RestClient } from "./rest-client.ts";
import { eventText } from "./shown-event.ts";

type Filter = Omit<NonNullable<PartsOf<"GET /logs">["query"]>, "limit" | "include" | "exclude">;

export const logLevels = ["debug", "info", "warn", "error"] as const;
/** Most records that one request answers with. */
export const maxLogs = 100;

/** Which records of the logs of all sources, or of one, are wanted. */
export async function readLogFilter(client: RestClient, args: Arguments, idOrName?: string): Promise<Filter> {
  const level = args.read("level", (flag, text) => parseChoice(flag, text, logLevels));
  const q = args.text("search");
  return {
    ...(idOrName !== undefined && { source_id: (await findEmitter(client, idOrName)).id }),
    ...(level !== undefined && { level }),
    ...(q !== undefined && { q }),
  };
}

/** Prints a record with the name of its source. */
async function createPrint(client: RestClient, json: boolean): Promise<(log: LogSummary) => void> {
  const names = new Map((await listEmitters(client)).map(({ id, names: [name] }) => [id, name ?? id]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  return (log) => console.log(json ? jsonText(log) : eventText(log, "$logs", nameOf(log.metadata.emitter_id)));
}

/** The newest records, the newest last. */
const newest = async (client: RestClient, query: Filter, limit: number): Promise<LogSummary[]> =>
  (await client.ask("GET /logs", { query: { ...query, limit } })).toReversed();

export async function listLogs(client: RestClient, filter: Filter, count: number, json: boolean): Promise<void> {
  const logs = await newest(client, filter, count);
  if (json) console.log(jsonText(logs, 2));
  else if (logs.length === 0) printNone();
  else {
    const print = await createPrint(client, false);
    for (const log of logs) print(log);
  }
}

interface Following {
  readonly count: number;
  readonly json: boolean;
  readonly stop: AbortSignal;
}

const keyOf = ({ id, metadata }: LogSummary): string => `${metadata.emitter_id} ${id}`;

/** Prints the newest records, then new ones until `stop`; after a broken connection first those that came meanwhile. */
export async function followLogs(client: RestClient, filter: Filter, { count, json, stop }: Following): Promise<void> {
  const print = await createPrint(client, json);
  const tell = tellState();
  const printed = new Set<string>();
  let newestMs = 0;
  let isFirst = true;
  function show(log: LogSummary): void {
    // A read and the stream may have the same records.
    if (printed.has(keyOf(log))) return;
    printed.add(keyOf(log));
    if (printed.size > 2 * maxLogs) for (const oldest of printed) if (printed.delete(oldest)) break;
    newestMs = Math.max(newestMs, log.indexed_at_ms);
    print(log);
  }
  async function catchUp(): Promise<void> {
    // Reads at least one: what is older is not shown later.
    const logs = await newest(client, filter, isFirst ? Math.max(1, count) : maxLogs);
    const after = newestMs;
    newestMs = Math.max(after, logs.at(-1)?.indexed_at_ms ?? 0);
    const wanted = isFirst ? logs.slice(logs.length - Math.min(count, logs.length)) : logs;
    isFirst = false;
    for (const log of wanted) if (log.indexed_at_ms >= after) show(log);
  }
  let caughtUp = Promise.resolve();
  const events = client.follow("GET /logs/stream", {
    query: filter,
    signal: stop,
    onState(state, error) {
      tell(state, error);
      if (state !== "open") return;
      caughtUp = catchUp();
      // Thrown with the next record.
      caughtUp.catch(() => undefined);
    },
  });
  for await (const given of events) {
    await caughtUp;
    const log = readEvent<LogSummary>(given);
    if (log) show(log);
  }
}
