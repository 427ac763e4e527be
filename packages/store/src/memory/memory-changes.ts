import {
  compareEventIds,
  formatEventId,
  type Component,
  type ComponentTexts,
  type Source,
  type StoredEvent,
} from "@x/model";
import type { Change } from "../contract.ts";
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
}

function deleteSource(tables: Tables, id: string, undo: Undo): void {
  deleteEndpoints(tables, id, undo);
  const { sources, db, dbTimes, dedupe, heads, executions, timers, transitions } = tables;
  for (const map of [sources, db, dbTimes, dedupe, heads, executions, timers, transitions])
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

/** Applies one change and appends the steps that undo it, also when it throws halfway. */
export function applyChange(tables: Tables, change: Change, undo: Undo): void {
  switch (change.op) {
    case "user.put": {
      const { user, keyIndex = user.apiKey } = change;
      for (const [id, used] of tables.userKeys)
        if (used === keyIndex && id !== user.id) refuse("the API key is in use");
      put(tables.userKeys, user.id, keyIndex, undo);
      putPositioned(tables, tables.users, user, undo);
      return;
    }
    case "account.put":
      putListed(tables, tables.accounts, change.account, undo);
      return;
    case "account.delete":
      put(tables.accounts, change.id, undefined, undo);
      return;
    case "app.put":
      put(tables.apps, `${change.app.userId} ${change.app.slug}`, change.app, undo);
      return;
    case "app.delete":
      put(tables.apps, `${change.userId} ${change.slug}`, undefined, undo);
      return;
    case "sealing.put": {
      const { sealing } = tables;
      if (sealing && change.isFirst) refuse("the store has a sealing");
      tables.sealing = change.sealing;
      undo.push(() => (tables.sealing = sealing));
      return;
    }
    case "component.put":
      putComponent(tables, change, undo);
      return;
    case "registry_file.put":
      putNested(tables.registryFiles, change.registry, change.file.id, change.file.record, undo);
      return;
    case "registry_file.delete":
      putNested(tables.registryFiles, change.registry, change.id, undefined, undo);
      return;
    case "project.put":
      putNested(tables.projects, change.project.userId, change.project.name, change.project, undo);
      return;
    case "project.delete":
      putNested(tables.projects, change.userId, change.name, undefined, undo);
      return;
    case "source.put":
      putSource(tables, change.source, undo);
      return;
    case "source.delete":
      deleteSource(tables, change.id, undo);
      return;
    case "transition.put":
      putTransition(tables, change, undo);
      return;
    case "transition.delete":
      put(tables.transitions, change.sourceId, undefined, undo);
      return;
    case "trigger.add": {
      const { trigger, running } = change;
      if (tables.triggers.has(trigger.id)) refuse(`trigger id ${trigger.id} is in use`);
      put(tables.triggers, trigger.id, { value: trigger, running, position: ++tables.lastPosition }, undo);
      return;
    }
    case "trigger.start": {
      const row = tables.triggers.get(change.id);
      if (row) put(tables.triggers, change.id, { ...row, running: true }, undo);
      return;
    }
    case "trigger.remove":
      put(tables.triggers, change.id, undefined, undo);
      return;
    case "db.set":
      putNested(tables.db, change.sourceId, change.key, change.value, undo);
      putNested(tables.dbTimes, change.sourceId, change.key, change.value === undefined ? undefined : change.at, undo);
      return;
    case "dedupe.set":
      putNested(tables.dedupe, change.sourceId, change.channel, change.state, undo);
      return;
    case "dedupe.reset":
      put(tables.dedupe, change.sourceId, undefined, undo);
      return;
    case "event.add":
      addEvent(tables, change.event, undo);
      return;
    case "events.delete": {
      const key = streamKey(change.emitterId, change.stream);
      const { start, end } = change.range;
      const kept = (tables.events.get(key) ?? []).filter(
        ({ id }) => (start && compareEventIds(id, start) < 0) || (end && compareEventIds(id, end) > 0),
      );
      put(tables.events, key, kept, undo);
      return;
    }
    case "events.trim": {
      const key = streamKey(change.emitterId, change.stream);
      const list = tables.events.get(key) ?? [];
      if (list.length > change.keep) put(tables.events, key, list.slice(list.length - change.keep), undo);
      return;
    }
    case "execution.add":
    case "executions.trim":
      applyExecutionChange(tables, change, undo);
      return;
    case "timer.set": {
      const { sourceId, next } = change;
      put(tables.timers, sourceId, next && { sourceId, ...next }, undo);
      return;
    }
    case "usage.add": {
      const key = `${change.userId} ${change.day}`;
      const old = tables.usage.get(key) ?? { invocations: 0, computeMs: 0 };
      const invocations = old.invocations + change.invocations;
      put(tables.usage, key, { invocations, computeMs: old.computeMs + change.computeMs }, undo);
      return;
    }
    case "message.done":
      return;
    default:
      applyDeliveryChange(tables, change, undo);
  }
}
