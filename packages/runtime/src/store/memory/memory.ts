import { XError } from "../../model/errors.ts";
import { compareEventIds } from "../../model/event-id.ts";
import type {
  Account,
  Component,
  Page,
  Paged,
  Source,
  StoredEvent,
  Trigger,
  TriggerHead,
  User,
} from "../../model/model.ts";
import { lockKey } from "../../model/package-lock.ts";
import type { Memory } from "../../api/options.ts";
import type { Change, Store } from "../contract.ts";
import { applyChange } from "./memory-changes.ts";
import { memoryDeliveryReads } from "./memory-deliveries.ts";
import { copyTables, createTables, placeKey, streamKey, type Placed, type Tables } from "./memory-tables.ts";
import { cutPage } from "./page.ts";
import { placesOf } from "../../model/cursor.ts";

/** Records that outlive the runtimes which use them one after another, and end with the process. */
export const createMemory = (): Memory => memoryOf(createTables());

function memoryOf(tables: Tables): Memory {
  let former: { isOpen: boolean } | undefined;
  return {
    open() {
      if (former) former.isOpen = false;
      const state = { isOpen: true };
      former = state;
      return openTables(tables, state);
    },
    copy: () => memoryOf(copyTables(tables)),
  };
}

/** A store that forgets at the end of the process: for tests, the harness and throw-away runtimes. */
export const createMemoryStore = (): Store => openTables(createTables(), { isOpen: true });

/** Memory does not fail. */
const never = new Promise<XError>(() => undefined);

function openTables(tables: Tables, state: { isOpen: boolean }): Store {
  const ready = (): void => {
    if (!state.isOpen) throw new XError("closed", []);
  };
  const newestFirst = <T>(rows: Iterable<Placed<T>>): T[] =>
    [...rows].sort((a, b) => b.place - a.place).map((row) => row.value);
  /** A page of a list whose items keep their places when they are deleted. */
  const cutPlaced = <T extends { readonly id: string }>(
    userId: string,
    list: readonly T[],
    page: Page,
    prefixes: RegExp,
  ): Paged<T> => {
    const placeOf = (id: string): number | undefined => tables.sourcePlaces.get(placeKey(userId, id));
    const { after, before } = placesOf(page, (id) => (prefixes.test(id) ? placeOf(id) : undefined));
    const place = (index: number): number => placeOf(list[index]?.id ?? "") ?? 0;
    return cutPage(list, {
      limit: page.limit,
      bytes: page.bytes,
      isAfter: after === undefined ? undefined : (index) => place(index) < after,
      isBefore: before === undefined ? undefined : (index) => place(index) > before,
    });
  };
  const components = (userId: string): Component[] =>
    newestFirst(tables.components.values()).filter((component) => component.userId === userId);
  const headOf = ({ event, body, ...rest }: Trigger): TriggerHead => ({
    ...rest,
    userId: tables.sources.get(rest.sourceId)?.value.userId ?? "",
    bytes: Buffer.byteLength(event) + (body?.byteLength ?? 0),
  });
  const waiting = (sourceId?: string): TriggerHead[] =>
    [...tables.triggers.values()]
      .filter((row) => sourceId === undefined || row.value.sourceId === sourceId)
      .sort((a, b) => a.value.at - b.value.at || a.place - b.place)
      .map((row) => headOf(row.value));

  return {
    failed: never,
    async commit(changes: readonly Change[]) {
      ready();
      const undo: (() => void)[] = [];
      try {
        for (const change of changes) applyChange(tables, change, undo);
      } catch (error) {
        for (const step of undo.toReversed()) step();
        throw error;
      }
    },

    async user(id) {
      ready();
      return tables.users.get(id)?.value;
    },
    async users() {
      ready();
      return newestFirst<User>(tables.users.values()).toReversed();
    },

    async component(id) {
      ready();
      return tables.components.get(id)?.value;
    },
    async componentByKey(userId, key) {
      ready();
      return components(userId).find((component) => component.shape.key === key);
    },
    async componentByContent(userId, contentHash) {
      ready();
      return components(userId).find((component) => component.contentHash === contentHash);
    },

    async text(hash) {
      ready();
      return tables.texts.get(hash);
    },
    async lockKeys(componentIds) {
      ready();
      const ids = [...componentIds, ...[...tables.sources.values()].map(({ value }) => value.componentId)];
      const locks = new Set(ids.map((id) => tables.components.get(id)?.value.packageLock));
      return [...new Set([...locks].flatMap((lock) => (lock ? [lockKey(lock)] : [])))];
    },
    async registryFiles(registry) {
      ready();
      return [...(tables.registryFiles.get(registry) ?? [])].map(([id, record]) => ({ id, record }));
    },

    async source(id) {
      ready();
      return tables.sources.get(id)?.value;
    },
    async sourceByEndpoint(key) {
      ready();
      return tables.sources.get(tables.endpoints.get(key) ?? "")?.value;
    },
    async sources(userId, page, only) {
      ready();
      const list = newestFirst<Source>(tables.sources.values()).filter(
        (source) => source.userId === userId && (only === undefined || source.id.startsWith(`${only}_`)),
      );
      return cutPlaced(userId, list, page, only === undefined ? /^(?:dc|p)_/ : new RegExp(`^${only}_`));
    },
    async slugs(userId, slug) {
      ready();
      const belongs = (text: string): boolean =>
        text === slug || (text.startsWith(`${slug}-`) && /^\d+$/.test(text.slice(slug.length + 1)));
      return [...tables.sources.values()]
        .filter((row) => row.value.userId === userId && belongs(row.value.nameSlug))
        .map((row) => row.value.nameSlug);
    },

    async sourceState(id) {
      ready();
      return {
        dedupe: Object.fromEntries(tables.dedupe.get(id) ?? []),
        heads: Object.fromEntries(tables.heads.get(id) ?? []),
      };
    },
    async db(sourceId) {
      ready();
      return new Map(tables.db.get(sourceId));
    },
    async dbTimes(sourceId) {
      ready();
      return new Map(tables.dbTimes.get(sourceId));
    },

    async events(emitterId, stream, query) {
      ready();
      const stored = tables.events.get(streamKey(emitterId, stream)) ?? [];
      const list = stored.slice(Math.max(0, stored.length - query.retention)).toReversed();
      const named = query.name === undefined ? list : list.filter((event) => event.name === query.name);
      const { after, before } = query;
      const compare = (index: number, cursor: StoredEvent["id"]): number => {
        const event = named[index];
        return event ? compareEventIds(event.id, cursor) : 0;
      };
      const { wholeBytes = Number.POSITIVE_INFINITY } = query;
      const bytesOf = ({ payload }: StoredEvent): number => Buffer.byteLength(payload);
      // What is left out does not count.
      const shown = (bytes: number): number => (bytes > wholeBytes ? 0 : bytes);
      const page = cutPage(named, {
        limit: query.limit,
        isAfter: after && ((index) => compare(index, after) < 0),
        isBefore: before && ((index) => compare(index, before) > 0),
        bytes: query.bytes,
        sizeOf: (event) => shown(bytesOf(event)),
      });
      query.admit?.(page.items.reduce((sum, event) => sum + shown(bytesOf(event)), 0));
      const items = page.items.map((event) =>
        bytesOf(event) > wholeBytes ? { ...event, payload: "", payloadBytes: bytesOf(event) } : event,
      );
      return { ...page, items };
    },
    async timers() {
      ready();
      return [...tables.timers.values()];
    },
    async triggers(sourceId) {
      ready();
      return waiting(sourceId);
    },
    async trigger(id) {
      ready();
      return tables.triggers.get(id)?.value;
    },
    async recoverTriggers() {
      ready();
      for (const [id, row] of tables.triggers) {
        if (!row.running) continue;
        const value = { ...row.value, crashes: row.value.crashes + 1 };
        tables.triggers.set(id, { ...row, value, running: false });
      }
      return waiting();
    },
    async transitions() {
      ready();
      return [...tables.transitions.values()];
    },
    async recoverTransitions() {
      ready();
      for (const [id, transition] of tables.transitions)
        if (transition.running)
          tables.transitions.set(id, { ...transition, crashes: transition.crashes + 1, running: false });
      return [...tables.transitions.values()];
    },
    async usage(userId, day, lastDay = day) {
      ready();
      let sum = { invocations: 0, computeMs: 0 };
      for (const [key, { invocations, computeMs }] of tables.usage) {
        if (key < `${userId} ${day}` || key > `${userId} ${lastDay}`) continue;
        sum = { invocations: sum.invocations + invocations, computeMs: sum.computeMs + computeMs };
      }
      return sum;
    },

    ...memoryDeliveryReads(tables, ready),

    async account(id) {
      ready();
      return tables.accounts.get(id)?.value;
    },
    async accounts(userId, page, app) {
      ready();
      const list = newestFirst<Account>(tables.accounts.values()).filter(
        (account) => account.userId === userId && (app === undefined || account.app === app),
      );
      return cutPlaced(userId, list, page, /^apn_/);
    },
    async sealing() {
      ready();
      return tables.sealing;
    },
    async sweep() {
      ready();
    },

    async close() {
      const { triggers, transitions } = tables;
      for (const [id, row] of state.isOpen ? triggers : []) triggers.set(id, { ...row, running: false });
      for (const [id, row] of state.isOpen ? transitions : []) transitions.set(id, { ...row, running: false });
      state.isOpen = false;
    },
  };
}
