import { compareEventIds, type Emitted, formatEventId, type StreamKind, streamNumbers } from "@x/runtime/store";

/** What a node announces to the others after it is stored. */
export interface Announcement {
  /** Nodes or slots changed. */
  readonly moves?: boolean;
  /** Who has messages: slots and nodes; true: anybody. */
  readonly messages?: readonly (number | string)[] | true;
  /** Slots with triggers that their owners have not seen; true: any. */
  readonly triggers?: readonly number[] | true;
  /** First new events; true: some, of unknown emitters. */
  readonly events?: readonly Emitted[] | true;
}

/** A notification holds less than 8,000 bytes. */
const maxBytes = 7_900;

const streamNames = Object.fromEntries(
  Object.entries(streamNumbers).map(([name, number]) => [number, name as StreamKind]),
);

type EventRow = readonly [emitterId: string, stream: number, id: string];

/** The form in a notification; short names, because there is little room. */
interface Payload {
  readonly f: string;
  readonly s?: true;
  readonly m?: Announcement["messages"];
  readonly t?: Announcement["triggers"];
  readonly e?: readonly EventRow[] | true;
}

const rowOf = ({ emitterId, stream, first }: Emitted): EventRow => [
  emitterId,
  streamNumbers[stream],
  formatEventId(first),
];

function emittedOf([emitterId, stream, id]: EventRow): Emitted {
  const [ms, seq] = id.split("-");
  return { emitterId, stream: streamNames[stream] ?? "emits", first: { ms: Number(ms), seq: Number(seq) } };
}

/** The payload of a notification; what does not fit is announced without its names. */
export function encodeAnnouncement(from: string, { moves, messages, triggers, events }: Announcement): string {
  const whole: Payload = {
    f: from,
    ...(moves && { s: true as const }),
    ...(messages && { m: messages }),
    ...(triggers && { t: triggers }),
    ...(events && { e: events === true ? true : events.map(rowOf) }),
  };
  const short: Payload = { ...whole, ...(events && { e: true as const }) };
  const shortest: Payload = { ...short, ...(messages && { m: true as const }), ...(triggers && { t: true as const }) };
  const texts = [whole, short, shortest].map((payload) => JSON.stringify(payload));
  return texts.find((text) => Buffer.byteLength(text) <= maxBytes) ?? "";
}

const isList = (value: unknown): boolean => value === undefined || value === true || Array.isArray(value);

/** The payload of a node; undefined for that of anybody else: every session of the database may use the channel. */
function findPayload(text: string): Payload | undefined {
  try {
    const given = Object(JSON.parse(text)) as Payload;
    const rows: readonly unknown[] = Array.isArray(given.e) ? given.e : [];
    const isOurs = typeof given.f === "string" && [given.m, given.t, given.e].every(isList);
    return isOurs && rows.every((row) => Array.isArray(row) && typeof row[2] === "string") ? given : undefined;
  } catch {
    return undefined;
  }
}

/** Who announces, and what; undefined for what no node has announced. */
export function parseAnnouncement(
  text: string,
): { readonly from: string; readonly announcement: Announcement } | undefined {
  const payload = findPayload(text);
  if (!payload) return undefined;
  const { f, s, m, t, e } = payload;
  return {
    from: f,
    announcement: {
      ...(s && { moves: true }),
      ...(m && { messages: m }),
      ...(t && { triggers: t }),
      ...(e && { events: e === true ? true : e.map(emittedOf) }),
    },
  };
}

/** Names in joined announcements: more never fit into a notification, and joining them one by one would take ever longer. */
const maxNames = 1_000;

const atMost = <T>(list: readonly T[]): readonly T[] | true => (list.length > maxNames ? true : list);

const joinLists = <T>(
  a: readonly T[] | true | undefined,
  b: readonly T[] | true | undefined,
): readonly T[] | true | undefined => {
  if (a === true || b === true) return true;
  return a && b ? atMost([...new Set([...a, ...b])]) : (a ?? b);
};

/** Keeps the first new event of each stream. */
function joinEvents(a: Announcement["events"], b: Announcement["events"]): Announcement["events"] {
  if (a === true || b === true) return true;
  if (!a || !b) return a ?? b;
  const firsts = new Map<string, Emitted>();
  for (const each of [...a, ...b]) {
    const key = `${each.emitterId} ${each.stream}`;
    const known = firsts.get(key);
    if (!known || compareEventIds(each.first, known.first) < 0) firsts.set(key, each);
  }
  return atMost([...firsts.values()]);
}

/** Both announcements as one. */
export function joinAnnouncements(a: Announcement, b: Announcement): Announcement {
  const [messages, triggers, events] = [
    joinLists(a.messages, b.messages),
    joinLists(a.triggers, b.triggers),
    joinEvents(a.events, b.events),
  ];
  return {
    ...((a.moves ?? b.moves) && { moves: true }),
    ...(messages && { messages }),
    ...(triggers && { triggers }),
    ...(events && { events }),
  };
}
