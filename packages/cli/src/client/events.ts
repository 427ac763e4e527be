import type { Arguments, Flag } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { parseInteger } from "../arguments/quantity.ts";
import { stopSignal } from "../stop-signal.ts";
import { UsageError } from "../errors.ts";
import { findEmitter } from "./emitters.ts";
import { follow } from "./event-stream.ts";
import { printNone } from "./output.ts";
import { pathOf, type RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { eventText, type ShownEvent } from "./shown-event.ts";
import { jsonText } from "../terminal/visible.ts";

const defaultCount = 10;
const maxEvents = 100_000;
/** Before every event. */
const beforeAll = "0-0";

/** Which events of whom. */
interface Wanted {
  /** Path of the emitter. */
  readonly path: string;
  /** `$errors`, `$logs`, a channel or "default"; undefined: what was emitted on any channel. */
  readonly stream: string | undefined;
}

const isStored = (stream: string | undefined): boolean => stream === "$errors" || stream === "$logs";

/** The newest events, newest last. */
async function newest(client: RestClient, { path, stream }: Wanted, count: number): Promise<ShownEvent[]> {
  const folder = isStored(stream) ? `${path}/${stream}` : path;
  const channel = isStored(stream) || stream === undefined ? {} : { name: stream === "default" ? "" : stream };
  const found = await client.list<ShownEvent>(`${folder}/event_summaries`, { expand: "event", ...channel }, count);
  return found.toReversed();
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

async function followOn(client: RestClient, wanted: Wanted, { count, json, stop }: Following): Promise<void> {
  const stream = wanted.stream ?? "default";
  const printing = { json, stream };
  // One at least: what follows begins after the newest, which is known only when it is read.
  const before = await newest(client, { ...wanted, stream }, Math.max(1, count));
  for (const event of before.slice(before.length - Math.min(count, before.length))) print(event, printing);
  const search = new URLSearchParams({ stream });
  const events = follow({
    open: (id) => client.open(`${wanted.path}/sse?${search.toString()}`, { "last-event-id": id }),
    after: before.at(-1)?.id ?? beforeAll,
    signal: stop,
    notice: (text) => console.error(text),
  });
  for await (const data of events) print(JSON.parse(data) as ShownEvent, printing);
}

async function show(args: Arguments, stream: string | undefined): Promise<number> {
  const [name, extra] = args.operands;
  if (name === undefined) throw new UsageError("Which source: its ID or name?");
  if (extra !== undefined) throw new UsageError(`"${extra}" is one too many`);
  const isFollowing = args.has("follow");
  const least = isFollowing ? 0 : 1;
  const count = args.read("limit", (flag, text) => parseInteger(flag, text, least, maxEvents)) ?? defaultCount;
  const json = args.has("json");
  const find = async (client: RestClient): Promise<Wanted> => {
    const { folder, id } = await findEmitter(client, name);
    return { path: pathOf(folder, id), stream };
  };
  if (isFollowing) {
    const stop = stopSignal();
    const client = readClient(args, stop);
    const following = find(client).then((wanted) => followOn(client, wanted, { count, json, stop }));
    await following.catch((error: unknown) => {
      // Whatever was asked for then is not wanted any more.
      if (!stop.aborted) throw error;
    });
    return exitCodes.ok;
  }
  const client = readClient(args);
  const events = await newest(client, await find(client), count);
  if (json) console.log(jsonText(events, 2));
  else if (events.length === 0) printNone();
  else for (const event of events) print(event, { json, stream });
  return exitCodes.ok;
}

const flags: readonly Flag[] = [
  { name: "limit", value: "COUNT", about: `the newest so many (default ${defaultCount}), the newest last` },
  { name: "follow", about: "then what happens, until it is stopped; with --json one object per line" },
  ...serviceFlags,
];

const onFollowing = [
  "A connection that breaks is made again and goes on where it was: nothing is missed and nothing comes twice.",
  "SIGINT and SIGTERM end it with exit code 0.",
];

/** `x events`: what a source or workflow emitted. */
export const eventsCommand: Command = {
  name: "events",
  operands: "ID",
  about: "Show what a source emitted, and follow it",
  details: [
    "ID is the id or the name of a source or workflow. Long events are cut; --json has them whole.",
    "Without --stream the events of every channel are listed, and those of the default channel are followed.",
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

/** `x logs`: what a source or workflow wrote to its console. */
export const logsCommand: Command = {
  name: "logs",
  operands: "ID",
  about: "Show what a source logged, and follow it",
  details: [
    "ID is the id or the name of a source or workflow. Errors that ended a run are among them.",
    ...onFollowing,
  ].join("\n"),
  flags,
  examples: ["x logs http-inbox --limit 50", "x logs http-inbox --follow --json"],
  run: (args) => show(args, "$logs"),
};
