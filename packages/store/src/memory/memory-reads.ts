import {
  compareEventIds,
  lockKey,
  triggerBytes,
  type Account,
  type Component,
  type Paged,
  type StoredEvent,
  type StreamKind,
  type Trigger,
  type TriggerHead,
} from "@x/model";
import type { Slots } from "../cluster-contract.ts";
import type { EventQuery, ListQuery } from "../queries.ts";
import type { Spans, StreamHead } from "../contract.ts";
import type { SyncReads } from "../reads.ts";
import { slugsLike, sourceIds } from "../rows/source-rows.ts";
import type { DeliveryReads } from "./memory-deliveries.ts";
import { appReads } from "./memory-apps.ts";
import { dataStoreReads } from "./memory-data-stores.ts";
import { readExecution, readExecutions, searchMemoryExecutions } from "./memory-executions.ts";
import { newestFirst, type Positioned, positionKey, streamKey, type Tables, valuesOf } from "./memory-tables.ts";
import { cutListPage, cutPage } from "./page.ts";

/** A page of a user's sources or accounts; `ids` matches the ids of the list. */
function readUserPage<T extends { readonly userId: string }>(
  tables: Tables,
  rows: ReadonlyMap<string, Positioned<T>>,
  userId: string,
  page: ListQuery,
  ids: RegExp,
  isListed: (value: T) => boolean,
): Paged<T> {
  const list = newestFirst(rows).filter(({ value }) => value.userId === userId && isListed(value));
  return cutListPage(list, page, (id) =>
    ids.test(id) ? tables.listPositions.get(positionKey(userId, id)) : undefined,
  );
}

function readEvents(tables: Tables, emitterId: string, stream: StreamKind, query: EventQuery): Paged<StoredEvent> {
  const { after, before, name, wholeBytes = Number.POSITIVE_INFINITY } = query;
  const stored = tables.events.get(streamKey(emitterId, stream)) ?? [];
  const list = stored.slice(Math.max(0, stored.length - query.retention)).toReversed();
  const bytesOf = ({ payload }: StoredEvent): number => Buffer.byteLength(payload);
  // Payloads that are left out add nothing to the page.
  const sizeOf = (event: StoredEvent): number => (bytesOf(event) > wholeBytes ? 0 : bytesOf(event));
  const page = cutPage(name === undefined ? list : list.filter((event) => event.name === name), {
    limit: query.limit,
    isAfter: after && (({ id }) => compareEventIds(id, after) < 0),
    isBefore: before && (({ id }) => compareEventIds(id, before) > 0),
    bytes: query.bytes,
    sizeOf,
  });
  query.admit?.(page.items.reduce((sum, event) => sum + sizeOf(event), 0));
  const items = page.items.map((event) =>
    bytesOf(event) > wholeBytes ? { ...event, payload: "", payloadBytes: bytesOf(event) } : event,
  );
  return { ...page, items };
}

function countEvents(tables: Tables, emitterId: string, stream: StreamKind, { from, ms, count }: Spans): number[] {
  const counts = Array.from({ length: count }, () => 0);
  for (const { id } of tables.events.get(streamKey(emitterId, stream)) ?? []) {
    const span = Math.floor((id.ms - from) / ms);
    if (span >= 0 && span < count) counts[span] = (counts[span] ?? 0) + 1;
  }
  return counts;
}

function readNewestHeads(tables: Tables, userId: string, stream: StreamKind, limit: number): StreamHead[] {
  return valuesOf(tables.sources)
    .filter((source) => source.userId === userId)
    .flatMap(({ id: emitterId }) => {
      const newest = tables.heads.get(emitterId)?.get(stream);
      return newest ? [{ emitterId, newest }] : [];
    })
    .sort((a, b) => compareEventIds(b.newest, a.newest) || (a.emitterId < b.emitterId ? -1 : 1))
    .slice(0, limit);
}

function readTriggers(tables: Tables, sourceId: string | undefined, slots: Slots | undefined): TriggerHead[] {
  const headOf = ({ event, body, received, ...rest }: Trigger): TriggerHead => ({
    ...rest,
    userId: tables.sources.get(rest.sourceId)?.value.userId ?? "",
    bytes: triggerBytes({ event, ...(body && { body }), ...(received !== undefined && { received }) }),
  });
  return [...tables.triggers.values()]
    .filter((row) => sourceId === undefined || row.value.sourceId === sourceId)
    .filter((row) => slots?.has(row.value.sourceId) !== false)
    .sort((a, b) => a.value.at - b.value.at || a.position - b.position)
    .map((row) => headOf(row.value));
}

function readLockKeys(tables: Tables, componentIds: readonly string[]): string[] {
  const ids = [...componentIds, ...[...tables.sources.values()].map(({ value }) => value.componentId)];
  const locks = new Set(ids.map((id) => tables.components.get(id)?.value.packageLock));
  return [...new Set([...locks].flatMap((lock) => (lock ? [lockKey(lock)] : [])))];
}

/** Reads everything but subscriptions, webhooks and deliveries. */
export function memoryReads(tables: Tables): Omit<SyncReads, keyof DeliveryReads> {
  const componentsOf = (userId: string): Component[] =>
    valuesOf(tables.components).filter((component) => component.userId === userId);
  return {
    user: (id) => tables.users.get(id)?.value,
    users: () => valuesOf(tables.users).toReversed(),
    component: (id) => tables.components.get(id)?.value,
    componentByKey: (userId, key) => componentsOf(userId).find(({ shape }) => shape.key === key),
    componentByContent: (userId, hash) => componentsOf(userId).find(({ contentHash }) => contentHash === hash),
    text: (hash) => tables.texts.get(hash),
    lockKeys: (componentIds) => readLockKeys(tables, componentIds),
    registryFiles: (registry) =>
      [...(tables.registryFiles.get(registry) ?? [])].map(([id, record]) => ({ id, record })),
    project: (userId, name) => tables.projects.get(userId)?.get(name),
    projects: (userId) =>
      [...(tables.projects.get(userId)?.values() ?? [])].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    source: (id) => tables.sources.get(id)?.value,
    sourceByEndpoint: (key) => tables.sources.get(tables.endpoints.get(key) ?? "")?.value,
    sourceBySlug: (userId, slug) =>
      valuesOf(tables.sources).find(
        (source) => source.userId === userId && source.nameSlug === slug && source.id.startsWith("dc_"),
      ),
    sources(userId, page, only) {
      const ids = sourceIds(only);
      return readUserPage(tables, tables.sources, userId, page, ids, ({ id }) => only === undefined || ids.test(id));
    },
    slugs(userId, slug) {
      const own = valuesOf(tables.sources).filter((source) => source.userId === userId);
      return slugsLike(
        slug,
        own.map(({ nameSlug }) => ({ name_slug: nameSlug })),
      );
    },
    sourceState: (id) => ({
      dedupe: Object.fromEntries(tables.dedupe.get(id) ?? []),
      heads: Object.fromEntries(tables.heads.get(id) ?? []),
    }),
    newestHeads: (userId, stream, limit) => readNewestHeads(tables, userId, stream, limit),
    db: (sourceId) => new Map(tables.db.get(sourceId)),
    dbTimes: (sourceId) => new Map(tables.dbTimes.get(sourceId)),
    events: (emitterId, stream, query) => readEvents(tables, emitterId, stream, query),
    executions: (userId, query) => readExecutions(tables, userId, query),
    searchExecutions: (ids, text) => searchMemoryExecutions(tables, ids, text),
    execution: (id) => readExecution(tables, id),
    eventCounts: (emitterId, stream, spans) => countEvents(tables, emitterId, stream, spans),
    timers: (slots) => [...tables.timers.values()].filter(({ sourceId }) => slots?.has(sourceId) !== false),
    triggers: (sourceId, slots) => readTriggers(tables, sourceId, slots),
    trigger: (id) => tables.triggers.get(id)?.value,
    transitions: () => [...tables.transitions.values()],
    usage(userId, day, lastDay = day) {
      let sum = { invocations: 0, computeMs: 0 };
      for (const [key, { invocations, computeMs }] of tables.usage) {
        if (key < `${userId} ${day}` || key > `${userId} ${lastDay}`) continue;
        sum = { invocations: sum.invocations + invocations, computeMs: sum.computeMs + computeMs };
      }
      return sum;
    },
    account: (id) => tables.accounts.get(id)?.value,
    accounts: (userId, page, app) =>
      readUserPage<Account>(
        tables,
        tables.accounts,
        userId,
        page,
        /^apn_/,
        (account) => app === undefined || account.app === app,
      ),
    app: (userId, slug) => tables.apps.get(`${userId} ${slug}`),
    apps: (userId) =>
      [...tables.apps.values()].filter((app) => app.userId === userId).sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    ...appReads(tables),
    ...dataStoreReads(tables),
    sealing: () => tables.sealing,
  };
}
