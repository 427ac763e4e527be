import {
  compareEventIds,
  formatEventId,
  type Component,
  type ComponentTexts,
  type Source,
  type StoredEvent,
} from "@x/model";
import type { Change, DeliveryChange } from "../contract.ts";
import { identityOf } from "../rows/account-identity.ts";
import { appAppliers, putAppListeners } from "./memory-apps.ts";
import { dataStoreAppliers } from "./memory-data-stores.ts";
import { applyExecutionChange } from "./memory-executions.ts";
import { applyDeliveryChange, deleteSubscriptions } from "./memory-deliveries.ts";
import {
  put,
  putListed,
  putNested,
  putPositioned,
  refuse,
  streamKey,
  type Tables,
  type Undo,
} from "./memory-tables.ts";

function putTexts(tables: Tables, { texts: hashes }: Component, texts: ComponentTexts, undo: Undo): void {
  for (const name of ["code", "bundle", "sourceMap"] as const satisfies readonly (keyof ComponentTexts)[])
    put(tables.texts, hashes[name], texts[name], undo);
}

function putComponent(
  tables: Tables,
  { component, texts }: Extract<Change, { op: "component.put" }>,
  undo: Undo,
): void {
  putPositioned(tables, tables.components, component, undo);
  if (texts) putTexts(tables, component, texts, undo);
}

function putTransition(
  tables: Tables,
  { transition, texts }: Extract<Change, { op: "transition.put" }>,
  undo: Undo,
): void {
  if (transition.unsaved && texts) putTexts(tables, transition.unsaved, texts, undo);
  put(tables.transitions, transition.source.id, transition, undo);
}

function deleteEndpoints(tables: Tables, sourceId: string, undo: Undo): void {
  const { endpoints = {} } = tables.sources.get(sourceId)?.value ?? {};
  for (const key of Object.values(endpoints)) put(tables.endpoints, key, undefined, undo);
}

function putSource(tables: Tables, source: Source, undo: Undo): void {
  deleteEndpoints(tables, source.id, undo);
  for (const key of Object.values(source.endpoints)) {
    if (tables.endpoints.has(key)) refuse(`endpoint key ${key} is in use`);
    put(tables.endpoints, key, source.id, undo);
  }
  putListed(tables, tables.sources, source, undo);
  putAppListeners(tables, source, undo);
}

function deleteSource(tables: Tables, id: string, undo: Undo): void {
  deleteEndpoints(tables, id, undo);
  const { sources, db, dbTimes, dedupe, heads, executions, timers, transitions, appListeners, requests } = tables;
  for (const map of [sources, db, dbTimes, dedupe, heads, executions, timers, transitions, appListeners, requests])
    put(map as Map<string, unknown>, id, undefined, undo);
  for (const stream of ["emits", "$errors", "$logs"] as const) {
    put(tables.events, streamKey(id, stream), undefined, undo);
  }
  for (const [triggerId, row] of tables.triggers) {
    if (row.value.sourceId === id) put(tables.triggers, triggerId, undefined, undo);
  }
  deleteSubscriptions(tables, id, undo);
}

function addEvent(tables: Tables, event: StoredEvent, undo: Undo): void {
  const { emitterId, stream, id } = event;
  const head = tables.heads.get(emitterId)?.get(stream);
  if (head && compareEventIds(id, head) <= 0) {
    refuse(`event id ${formatEventId(id)} is not after ${formatEventId(head)}, the newest of ${emitterId}`);
  }
  putNested(tables.heads, emitterId, stream, id, undo);
  const key = streamKey(emitterId, stream);
  const list = tables.events.get(key);
  if (!list) {
    put(tables.events, key, [event], undo);
    return;
  }
  list.push(event);
  undo.push(() => list.pop());
}

/** The changes apart from those of deliveries. */
type OwnChange = Exclude<Change, DeliveryChange>;

const appliers: {
  readonly [Op in OwnChange["op"]]: (tables: Tables, change: Extract<Change, { op: Op }>, undo: Undo) => void;
} = {
  "user.put"(tables, { user, keyIndex = user.apiKey }, undo) {
    for (const [id, used] of tables.userKeys) if (used === keyIndex && id !== user.id) refuse("the API key is in use");
    put(tables.userKeys, user.id, keyIndex, undo);
    putPositioned(tables, tables.users, user, undo);
  },
  ...appAppliers,
  ...dataStoreAppliers,
  "account.put"(tables, { account, identity = identityOf(account) }, undo) {
    putListed(tables, tables.accounts, account, undo);
    put(tables.identities, account.id, identity, undo);
  },
  "account.delete"(tables, { id }, undo) {
    put(tables.accounts, id, undefined, undo);
    put(tables.identities, id, undefined, undo);
  },
  "app.put": (tables, { app }, undo) => put(tables.apps, `${app.userId} ${app.slug}`, app, undo),
  "app.delete": (tables, { userId, slug }, undo) => put(tables.apps, `${userId} ${slug}`, undefined, undo),
  "sealing.put"(tables, change, undo) {
    const { sealing } = tables;
    if (sealing && change.isFirst) refuse("the store has a sealing");
    tables.sealing = change.sealing;
    undo.push(() => (tables.sealing = sealing));
  },
  "component.put": putComponent,
  "registry_file.put": (tables, { registry, file }, undo) =>
    putNested(tables.registryFiles, registry, file.id, file.record, undo),
  "registry_file.delete": (tables, { registry, id }, undo) =>
    putNested(tables.registryFiles, registry, id, undefined, undo),
  "project.put": (tables, { project }, undo) => putNested(tables.projects, project.userId, project.name, project, undo),
  "project.delete": (tables, { userId, name }, undo) => putNested(tables.projects, userId, name, undefined, undo),
  "source.put": (tables, { source }, undo) => putSource(tables, source, undo),
  "source.delete": (tables, { id }, undo) => deleteSource(tables, id, undo),
  "transition.put": putTransition,
  "transition.delete": (tables, { sourceId }, undo) => put(tables.transitions, sourceId, undefined, undo),
  "trigger.add"(tables, { trigger, running }, undo) {
    if (tables.triggers.has(trigger.id)) refuse(`trigger id ${trigger.id} is in use`);
    put(tables.triggers, trigger.id, { value: trigger, running, position: ++tables.lastPosition }, undo);
  },
  "trigger.start"(tables, { id }, undo) {
    const row = tables.triggers.get(id);
    if (row) put(tables.triggers, id, { ...row, running: true }, undo);
  },
  "trigger.remove": (tables, { id }, undo) => put(tables.triggers, id, undefined, undo),
  "db.set"(tables, { sourceId, key, value, at }, undo) {
    putNested(tables.db, sourceId, key, value, undo);
    putNested(tables.dbTimes, sourceId, key, value === undefined ? undefined : at, undo);
  },
  "dedupe.set": (tables, { sourceId, channel, state }, undo) =>
    putNested(tables.dedupe, sourceId, channel, state, undo),
  "dedupe.reset": (tables, { sourceId }, undo) => put(tables.dedupe, sourceId, undefined, undo),
  "event.add": (tables, { event }, undo) => addEvent(tables, event, undo),
  "events.delete"(tables, { emitterId, stream, range: { start, end } }, undo) {
    const key = streamKey(emitterId, stream);
    const kept = (tables.events.get(key) ?? []).filter(
      ({ id }) => (start && compareEventIds(id, start) < 0) || (end && compareEventIds(id, end) > 0),
    );
    put(tables.events, key, kept, undo);
  },
  "events.trim"(tables, { emitterId, stream, keep }, undo) {
    const key = streamKey(emitterId, stream);
    const list = tables.events.get(key) ?? [];
    if (list.length > keep) put(tables.events, key, list.slice(list.length - keep), undo);
  },
  "timer.set": (tables, { sourceId, next }, undo) => put(tables.timers, sourceId, next && { sourceId, ...next }, undo),
  "usage.add"(tables, { userId, day, invocations, computeMs }, undo) {
    const key = `${userId} ${day}`;
    const old = tables.usage.get(key) ?? { invocations: 0, computeMs: 0 };
    const sum = { invocations: old.invocations + invocations, computeMs: old.computeMs + computeMs };
    put(tables.usage, key, sum, undo);
  },
  "execution.add": applyExecutionChange,
  "executions.trim": applyExecutionChange,
  "message.done": () => undefined,
};

const isOwn = (change: Change): change is OwnChange => Object.hasOwn(appliers, change.op);

/** Applies one change and appends the steps that undo it, also when it throws halfway. */
export function applyChange(tables: Tables, change: Change, undo: Undo): void {
  if (!isOwn(change)) return applyDeliveryChange(tables, change, undo);
  const apply = appliers[change.op] as (tables: Tables, change: OwnChange, undo: Undo) => void;
  apply(tables, change, undo);
}
