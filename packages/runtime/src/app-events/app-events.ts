import { setImmediate as nextTurn } from "node:timers/promises";

import { XError, type Clock, type Limits, type Logger, type RequestEntry, type TriggerHead } from "@x/model";
import type { Change, Store } from "@x/store";
import { requestChanges } from "../http/request-log.ts";
import type { Tracing } from "../observe/contract.ts";
import { type AddresseeReads, addresseesOf, type Addressees, type EventScope, type Unreached } from "./addressees.ts";
import type { AppEvent } from "./app-event.ts";
import { type AppFanOutRules, type AppOverflow, fanOutApp } from "./app-fan-out.ts";
import type { CallbackAccounts } from "./callback-accounts.ts";
import { createEventsInFlight } from "./events-in-flight.ts";

export interface AppEventsParts {
  readonly store: AddresseeReads & Pick<Store, "seenAppEvents" | "commit">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Pick<Limits, "acceptingBytes">;
  readonly backlog: AppFanOutRules["backlog"] & { remove(trigger: TriggerHead): void };
  /** Called after the commit of these triggers. */
  triggered(triggers: readonly TriggerHead[]): void;
  /** Called after the commit with the sources that do not get some of the events. */
  overflowed(overflows: readonly AppOverflow[]): void;
  readonly tracing?: Tracing | undefined;
  /** Of the embedder's accounts. */
  readonly identities: Pick<CallbackAccounts, "identifyAll"> | undefined;
}

/** Events of an app that are to be stored. */
export interface GivenEvents extends EventScope {
  /** Whose ids are remembered. */
  readonly owner: string;
  readonly events: readonly AppEvent[];
  readonly verified: boolean;
  /** Stores events again whose ids the app has seen. */
  readonly force?: boolean;
  /** Where the request is recorded, and when it came. */
  readonly request?: { readonly owner: string; readonly at: number };
}

/** What became of one event. */
export interface StoredAppEvent {
  readonly id: string | null;
  readonly duplicate: boolean;
  readonly sources: readonly string[];
}

export interface AppEvents {
  /**
   * Stores a trigger for every active source that listens to the events, and all that belongs to it, in one transaction.
   * Rejects with `queue_full` when the process takes no more, and with the errors of the store.
   */
  deliver(given: GivenEvents): Promise<readonly StoredAppEvent[]>;
}

const dayMs = 24 * 60 * 60 * 1_000;
const keptIds = 10_000;
/** Ids that may be stored before old ones are removed. */
const idsPerTrim = 250;
const maxTriggers = 10_000;
const maxAttempts = 3;

/** The first names of the events. */
const namesOf = (events: readonly AppEvent[]): string[] =>
  [...new Set(events.slice(0, 16).flatMap(({ names }) => names))].slice(0, 16);

interface Fate {
  readonly event: AppEvent;
  readonly isDuplicate: boolean;
  readonly addressees: Addressees | undefined;
}

function entryOf(
  { events, request }: GivenEvents,
  fates: readonly Fate[],
  counts: { readonly triggers: number; readonly skipped: number; readonly now: number },
): RequestEntry {
  const { triggers, skipped, now } = counts;
  const isDuplicate = fates.length > 0 && fates.every((fate) => fate.isDuplicate);
  const reason: Unreached | undefined = fates.find(({ addressees }) => addressees?.reason)?.addressees?.reason;
  const isDelivered = triggers + skipped > 0;
  const eventId = events.find(({ id }) => id !== undefined)?.id;
  const at = request?.at ?? now;
  return {
    at,
    outcome: isDelivered ? "delivered" : isDuplicate ? "duplicate" : "unmatched",
    ...(!isDelivered && !isDuplicate && reason !== undefined && { reason }),
    names: namesOf(events),
    ...(eventId !== undefined && { eventId }),
    triggers,
    skipped,
    durationMs: Math.max(0, now - at),
  };
}

/** What becomes of each event. `seen`: ids that the app has seen within a day. */
async function fatesOf(given: GivenEvents, seen: ReadonlySet<string>, store: AddresseeReads): Promise<Fate[]> {
  const taken = new Set<string>();
  const known = new Map<string, Promise<Addressees>>();
  const addressees = (event: AppEvent): Promise<Addressees> => {
    const key = JSON.stringify([event.names, event.accounts]);
    const found = known.get(key) ?? addresseesOf(event, given, store);
    known.set(key, found);
    return found;
  };
  const fates: Fate[] = [];
  for (const event of given.events) {
    const { id } = event;
    const isDuplicate = id !== undefined && given.force !== true && (seen.has(id) || taken.has(id));
    if (id !== undefined) taken.add(id);
    fates.push({ event, isDuplicate, addressees: isDuplicate ? undefined : await addressees(event) });
  }
  return fates;
}

/** Throws `queue_full` when the events would start too many runs. */
function checkCount({ app }: GivenEvents, fates: readonly Fate[], logger: Logger): void {
  const count = fates.reduce((sum, { addressees }) => sum + (addressees?.listeners.length ?? 0), 0);
  if (count <= maxTriggers) return;
  logger.error("a request with app events was refused: it would start too many runs", { app, count });
  throw new XError("queue_full", [`app ${app}`, `${maxTriggers} triggers of one request`, String(count)]);
}

export function createAppEvents(parts: AppEventsParts): AppEvents {
  const { store, clock, logger, limits, backlog } = parts;
  const inFlight = createEventsInFlight();
  /** Bytes of events that are being stored. */
  let acceptingBytes = 0;
  let addedIds = 0;

  /** Changes that remember the ids of the new events; some ids are older than a day. */
  function rememberIds({ owner, app }: GivenEvents, ids: readonly string[], hasOld: boolean, now: number): Change[] {
    if (ids.length === 0) return [];
    addedIds += ids.length;
    const isDue = hasOld || addedIds >= idsPerTrim;
    if (isDue) addedIds = 0;
    return [
      ...(isDue
        ? [{ op: "app_events.trim", userId: owner, slug: app, before: now - dayMs, keep: keptIds } as const]
        : []),
      ...ids.map((id): Change => ({ op: "app_event.add", userId: owner, slug: app, id, at: now })),
    ];
  }

  async function storeOnce(given: GivenEvents): Promise<readonly StoredAppEvent[]> {
    const { events, app, owner, verified, request } = given;
    const now = clock.now();
    const ids = [...new Set(events.flatMap(({ id }) => id ?? []))];
    const known = ids.length === 0 ? [] : await store.seenAppEvents(owner, app, ids);
    const recent = new Set(known.filter(({ at }) => at >= now - dayMs).map(({ id }) => id));
    const fates = await fatesOf(given, recent, store);
    checkCount(given, fates, logger);
    const addressed = fates.map(({ event, addressees }) => ({ event, listeners: addressees?.listeners ?? [] }));
    const trace = parts.tracing?.active();
    const fan = await fanOutApp(addressed, { app, now, verified, trace, backlog, pause: nextTurn });
    const newIds = ids.filter((id) => !recent.has(id));
    const skipped = fan.overflows.reduce((sum, { count }) => sum + count, 0);
    const entry = entryOf(given, fates, { triggers: fan.triggers.length, skipped, now: clock.now() });
    const recorded = request ? requestChanges(request.owner, entry) : [];
    try {
      await store.commit([...rememberIds(given, newIds, known.length > recent.size, now), ...fan.changes, ...recorded]);
    } catch (error) {
      for (const trigger of fan.triggers) backlog.remove(trigger);
      throw error;
    }
    if (fan.triggers.length > 0) parts.triggered(fan.triggers);
    if (fan.overflows.length > 0) parts.overflowed(fan.overflows);
    return fates.map(({ event, isDuplicate }, index) => ({
      id: event.id ?? null,
      duplicate: isDuplicate,
      sources: fan.sources[index] ?? [],
    }));
  }

  /** Another node may have stored an id in between: then the commit was refused, and the event is a duplicate now. */
  async function storeAgain(given: GivenEvents, ids: readonly string[]): Promise<readonly StoredAppEvent[]> {
    for (let attempt = 1; ; attempt += 1) {
      const at = clock.now();
      try {
        return await storeOnce(given);
      } catch (error) {
        if (attempt >= maxAttempts || !XError.is(error) || error.code !== "store_failed") throw error;
        const seen = ids.length === 0 ? [] : await store.seenAppEvents(given.owner, given.app, ids);
        // Clocks of nodes differ a little.
        if (!seen.some((each) => each.at >= at - 60_000)) throw error;
      }
    }
  }

  return {
    async deliver(given) {
      await parts.identities?.identifyAll(given.app);
      const bytes = given.events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
      if (acceptingBytes + bytes > limits.acceptingBytes) {
        const most = `${limits.acceptingBytes} bytes at the same time`;
        throw new XError("queue_full", [`app ${given.app}`, most, String(acceptingBytes + bytes)]);
      }
      acceptingBytes += bytes;
      try {
        const ids = [...new Set(given.events.flatMap(({ id }) => id ?? []))];
        using _ids = await inFlight.enter(ids.map((id) => `${given.owner} ${given.app} ${id}`));
        return await storeAgain(given, ids);
      } finally {
        acceptingBytes -= bytes;
      }
    },
  };
}
