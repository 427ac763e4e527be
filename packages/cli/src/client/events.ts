import type { Arguments, Flag } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { parseInteger } from "../arguments/quantity.ts";
import { stopSignal } from "../stop-signal.ts";
import { UsageError } from "../errors.ts";
import { followLogs, listLogs, logLevels, maxLogs, readLogFilter } from "./all-logs.ts";
import { type Emitter, findEmitter } from "./emitters.ts";
import { readEvent, tellState } from "./event-stream.ts";
import { printNone } from "./output.ts";
import type { RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { eventText, type ShownEvent } from "./shown-event.ts";
import { jsonText } from "../terminal/visible.ts";

const defaultCount = 10;
const maxEvents = 100_000;
/** Sorts before the id of every event. */
const beforeAll = "0-0";

/** The events to show. */
interface Wanted extends Emitter {
  /** `$errors`, `$logs`, a channel or "default"; undefined: the events of all channels. */
  readonly stream: string | undefined;
}

const isStored = (stream: string | undefined): stream is "$errors" | "$logs" =>
  stream === "$errors" || stream === "$logs";

/** The newest events, the newest last. */
async function newest(client: RestClient, { folder, id, stream }: Wanted, count: number): Promise<ShownEvent[]> {
  const path = { id };
  const found = isStored(stream)
    ? client.list(`GET /${folder}/{id}/${stream}/event_summaries`, { path, query: { expand: "event" } }, count)
    : client.list(
        `GET /${folder}/{id}/event_summaries`,
        { path, query: { expand: "event", name: stream === "default" ? "" : stream } },
        count,
      );
  return (await found).toReversed();
}

interface Printing {
  readonly json: boolean;
  readonly stream: string | undefined;
}

function print(event: ShownEvent, { json, stream }: Printing): void {
  console.log(json ? jsonText(event) : eventText(event, stream));
}

interface Following {
  readonly count: number;
  readonly json: boolean;
  readonly stop: AbortSignal;
}

/** Prints the newest events, then new ones until `stop`. */
async function followOn(client: RestClient, wanted: Wanted, { count, json, stop }: Following): Promise<void> {
  const stream = wanted.stream ?? "default";
  const printing = { json, stream };
  // Reads at least one: the stream continues after the newest event.
  const before = await newest(client, { ...wanted, stream }, Math.max(1, count));
  for (const event of before.slice(before.length - Math.min(count, before.length))) print(event, printing);
  const events = client.follow(`GET /${wanted.folder}/{id}/sse`, {
    path: { id: wanted.id },
    query: { stream },
    lastEventId: before.at(-1)?.id ?? beforeAll,
    signal: stop,
    onState: tellState(),
  });
  for await (const given of events) {
    const event = readEvent<ShownEvent>(given);
    if (event) print(event, printing);
  }
}

/** Does something until it is stopped by a signal. */
async function untilStopped(
  args: Arguments,
  work: (client: RestClient, stop: AbortSignal) => Promise<void>,
): Promise<number> {
  const stop = stopSignal();
  await work(readClient(args, stop), stop).catch((error: unknown) => {
    // A stop cancels the request.
    if (!stop.aborted) throw error;
  });
  return exitCodes.ok;
}

interface WantedLogs extends Omit<Following, "stop"> {
  readonly name: string | undefined;
}

/** Logs of all sources, or of one with some of its levels or words. */
async function showLogs(args: Arguments, { name, count, json }: WantedLogs): Promise<number> {
  if (count > maxLogs)
    throw new UsageError(`--limit is at most ${maxLogs} for all sources, or with --level or --search`);
  if (args.has("follow"))
    return untilStopped(args, async (client, stop) =>
      followLogs(client, await readLogFilter(client, args, name), { count, json, stop }),
    );
  const client = readClient(args);
  await listLogs(client, await readLogFilter(client, args, name), count, json);
  return exitCodes.ok;
}

async function show(args: Arguments, stream: string | undefined): Promise<number> {
  const [name, extra] = args.operands;
  if (extra !== undefined) throw new UsageError(`"${extra}" is one too many`);
  const isFollowing = args.has("follow");
  const least = isFollowing ? 0 : 1;
  const count = args.read("limit", (flag, text) => parseInteger(flag, text, least, maxEvents)) ?? defaultCount;
  const json = args.has("json");
  if (stream === "$logs" && (name === undefined || args.has("level") || args.has("search")))
    return showLogs(args, { name, count, json });
  if (name === undefined) throw new UsageError("Which source: its ID or name?");
  const find = async (client: RestClient): Promise<Wanted> => ({ ...(await findEmitter(client, name)), stream });
  if (isFollowing)
    return untilStopped(args, async (client, stop) => followOn(client, await find(client), { count, json, stop }));
  const client = readClient(args);
  const events = await newest(client, await find(client), count);
  if (json) console.log(jsonText(events, 2));
  else if (events.length === 0) printNone();
  else for (const event of events) print(event, { json, stream });
  return exitCodes.ok;
}

const flags: readonly Flag[] = [
  { name: "limit", value: "COUNT", about: `number of events (default ${defaultCount}); the newest is last` },
  { name: "follow", about: "print new events too, until it is stopped; with --json one object per line" },
  ...serviceFlags,
];

const onFollowing = [
  "x reconnects after a broken connection: no event is missed or printed twice. SIGINT and SIGTERM end it with exit code 0.",
];

/** `x events`: prints the events of a source or workflow. */
export const eventsCommand: Command = {
  operands: "ID",
  details: [
    "ID is the id or the name of a source or workflow. Long events are cut; --json prints them in full.",
    "Without --stream, x lists the events of all channels and follows those of the default channel.",
    ...onFollowing,
  ].join("\n"),
  flags: [
    { name: "stream", value: "NAME", about: "'$errors' (in quotes, for the shell), '$logs', default or a channel" },
    ...flags,
  ],
  examples: [
    "x events http-inbox",
    "x events http-inbox --follow",
    "x events http-inbox --stream '$errors' --limit 1",
    "x events http-inbox --json",
  ],
  run: (args) => show(args, args.text("stream")),
};

/** `x logs`: prints the logs of a source or workflow. */
export const logsCommand: Command = {
  operands: "[ID]",
  details: [
    "ID is the id or the name of a source or workflow; without it, x shows the logs of all, with the errors of runs.",
    ...onFollowing,
  ].join("\n"),
  flags: [
    { name: "level", value: "LEVEL", about: `only ${logLevels.join(", ")}, or a higher one` },
    { name: "search", value: "WORDS", about: "only records with all of these words, in any case" },
    ...flags,
  ],
  examples: [
    "x logs http-inbox --limit 50",
    "x logs http-inbox --follow --json",
    "x logs --follow --level warn",
    "x logs --search timeout",
  ],
  run: (args) => show(args, "$logs"),
};
