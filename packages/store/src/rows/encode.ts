import {
  compareEventIds,
  triggerBytes,
  type Component,
  type ComponentTexts,
  type Source,
  type StoredEvent,
} from "@x/model";
import { componentRows, familyOf } from "../component-rows.ts";
import type { Change, SecretChange } from "../contract.ts";
import type { DataStoreChange } from "../data-store-contract.ts";
import { streamNumbers } from "../numbers.ts";
import { type SharedPayloads, sharedPayloads } from "../payload-sharing.ts";
import { identityOf } from "./account-identity.ts";
import { addAppChange, addAppListeners, addIdentity, isAppChange } from "./encode-app.ts";
import { addDeliveryChange } from "./encode-delivery.ts";
import { addExecutionChange } from "./encode-execution.ts";
import type { RowList } from "./row-list.ts";

/** The node whose commits are encoded. */
export interface EncodingNode {
  /** True for its sources. */
  owns(sourceId: string): boolean;
  /** Which rows of counters are its own. */
  readonly share: number;
}

/** A service that is alone. */
const onlyNode: EncodingNode = { owns: () => true, share: 0 };

type EventAdd = Extract<Change, { op: "event.add" }>;
type TriggerAdd = Extract<Change, { op: "trigger.add" }>;

function addTexts(list: RowList, component: Component, texts: ComponentTexts, likeness: string | undefined): void {
  const { texts: hashes } = component;
  for (const name of ["code", "bundle", "sourceMap"] as const satisfies readonly (keyof ComponentTexts)[])
    list.add("putText", "text", hashes[name], familyOf(name, likeness), texts[name]);
}

function addComponent(list: RowList, { component, texts }: Extract<Change, { op: "component.put" }>): void {
  const { id, userId, shape, contentHash } = component;
  const { record, lock, likeness } = componentRows(component);
  if (texts) addTexts(list, component, texts, likeness);
  if (lock) list.add("putLock", "package_lock", lock.hash, lock.key, lock.record);
  list.add("putComponent", "component", id, userId, shape.key ?? null, contentHash, lock?.hash ?? null, record);
}

function addSource(list: RowList, source: Source): void {
  const { id, userId, nameSlug, componentId } = source;
  list.add("putSource", "source", id, userId, nameSlug, componentId, JSON.stringify(source));
  list.add("deleteEndpoints", "endpoint", id);
  for (const [prop, key] of Object.entries(source.endpoints)) list.add("addEndpoint", "endpoint", key, id, prop);
  addAppListeners(list, source);
}

function addTransition(list: RowList, { transition, texts }: Extract<Change, { op: "transition.put" }>): void {
  const { crashes, running, ...record } = transition;
  const { unsaved, source } = transition;
  if (unsaved && texts) addTexts(list, unsaved, texts, componentRows(unsaved).likeness);
  list.add("putTransition", "transition", source.id, crashes, running, JSON.stringify(record));
}

function addSourceDelete(list: RowList, id: string): void {
  list.add("keepSourcePosition", ["source", "list_position"], id);
  list.add("deleteSource", "source", id);
  list.add("deleteEndpoints", "endpoint", id);
  list.add("deleteTriggers", "inbox", id);
  list.add("deleteValues", "kv", id);
  list.add("deleteDedupe", `dedupe:${id}`, id);
  list.add("deleteHeads", "head", id);
  list.add("deleteEvents", "event", id);
  list.add("deleteExecutions", `execution:${id}`, id);
  list.add("deleteTimer", `timer:${id}`, id);
  list.add("deleteSubscriptionsFrom", "subscription", id);
  list.add("deleteSubscriptionsTo", "subscription", id);
  list.add("deleteAutoSubscriptionsTo", "auto_subscription", id);
  list.add("deleteTransition", "transition", id);
  list.add("deleteAppListeners", "app_listener", id);
  list.add("deleteRequests", `request:${id}`, id);
}

function addEvent(list: RowList, event: StoredEvent, shared: SharedPayloads): void {
  const { emitterId, stream, id, name, emitId, dedupeId, summary, ts, payload } = event;
  const isShared = shared.has(emitId);
  const touches = `event:${emitterId} ${stream}`;
  list.add(
    "addEvent",
    isShared ? [touches, `shared:${emitId}`] : touches,
    emitterId,
    streamNumbers[stream],
    id.ms,
    id.seq,
    name,
    emitId,
    dedupeId ?? null,
    summary ?? null,
    ts ?? null,
    Buffer.byteLength(payload),
    isShared,
    isShared ? "" : payload,
  );
}

/** Adds consecutive events of one stream from `start`, with one update of its head. Returns their number. */
function addEvents(
  list: RowList,
  changes: readonly Change[],
  start: number,
  first: EventAdd,
  shared: SharedPayloads,
): number {
  const { emitterId, stream } = first.event;
  const run = [first.event];
  let last = first.event.id;
  for (let next = changes[start + 1]; next?.op === "event.add"; next = changes[start + run.length]) {
    const { event } = next;
    if (event.emitterId !== emitterId || event.stream !== stream || compareEventIds(event.id, last) <= 0) break;
    run.push(event);
    last = event.id;
  }
  const { ms, seq } = first.event.id;
  list.add("moveHead", `head:${emitterId} ${stream}`, emitterId, streamNumbers[stream], last.ms, last.seq, ms, seq);
  for (const event of run) addEvent(list, event, shared);
  return run.length;
}

function addTrigger(
  list: RowList,
  { trigger, running, emitId }: TriggerAdd,
  shared: SharedPayloads,
  node: EncodingNode,
): void {
  const { id, sourceId, type, httpProp, at, crashes, hops, ofError, origin, event, body, received } = trigger;
  const isOwn = node.owns(sourceId);
  const isShared = isOwn && emitId !== undefined && shared.has(emitId);
  list.add(
    "addTrigger",
    isShared ? [`inbox:${id}`, `shared:${emitId}`] : `inbox:${id}`,
    id,
    sourceId,
    type,
    httpProp ?? null,
    at,
    crashes,
    hops,
    ofError === true,
    running,
    isShared ? emitId : null,
    triggerBytes(trigger),
    origin === undefined ? null : JSON.stringify(origin),
    !isOwn,
    isShared ? "" : event,
    body ?? null,
    received ?? null,
  );
}

function addValue(list: RowList, { sourceId, key, value, at }: Extract<Change, { op: "db.set" }>): void {
  const touches = `kv:${sourceId} ${key}`;
  if (value === undefined) list.add("deleteValue", touches, sourceId, key);
  else list.add("setValue", touches, sourceId, key, at, value);
}

function addStored(list: RowList, change: DataStoreChange): void {
  const { userId, name } = change;
  if (change.op === "data_store.delete") {
    list.add("deleteDataStore", "data_store", userId, name);
    return;
  }
  const { key, value, at } = change;
  const touches = `data_store:${userId} ${name} ${key}`;
  if (value === undefined) list.add("deleteStored", touches, userId, name, key);
  else list.add("setStored", touches, userId, name, key, at, value);
}

function addTimer(list: RowList, { sourceId, next }: Extract<Change, { op: "timer.set" }>): void {
  if (next) list.add("setTimer", `timer:${sourceId}`, sourceId, next.at, next.lastAt);
  else list.add("deleteTimer", `timer:${sourceId}`, sourceId);
}

function addEventRange(list: RowList, change: Extract<Change, { op: "events.delete" }>): void {
  const { emitterId, stream, range } = change;
  const start = range.start ?? { ms: 0, seq: 0 };
  const end = range.end ?? { ms: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };
  const bounds = [start.ms, start.seq, end.ms, end.seq];
  list.add("deleteEventRange", `event:${emitterId} ${stream}`, emitterId, streamNumbers[stream], ...bounds);
}

type NamedChange = Extract<
  Change,
  { op: "registry_file.put" | "registry_file.delete" | "project.put" | "project.delete" }
>;

/** Records that are found by an owner and a name. */
function addNamed(list: RowList, change: NamedChange): void {
  const kind = change.op.replace(/\.\w+$/, "");
  if (change.op === "registry_file.put")
    list.add("putRegistryFile", kind, change.registry, change.file.id, change.file.record);
  else if (change.op === "registry_file.delete") list.add("deleteRegistryFile", kind, change.registry, change.id);
  else if (change.op === "project.delete") list.add("deleteProject", kind, change.userId, change.name);
  else {
    const { project } = change;
    list.add("putProject", kind, project.userId, project.name, JSON.stringify(project));
  }
}

function addSecretChange(list: RowList, change: SecretChange): void {
  switch (change.op) {
    case "account.put": {
      const { account } = change;
      list.add("putAccount", "account", account.id, account.userId, account.app, JSON.stringify(account));
      addIdentity(list, change.identity ?? identityOf(account));
      return;
    }
    case "account.delete":
      list.add("keepAccountPosition", ["account", "list_position"], change.id);
      list.add("deleteAccount", "account", change.id);
      list.add("deleteIdentities", "account_identity", change.id);
      return;
    case "app.put":
      list.add("putApp", "app", change.app.userId, change.app.slug, JSON.stringify(change.app));
      return;
    case "app.delete":
      list.add("deleteApp", "app", change.userId, change.slug);
      return;
    case "sealing.put":
      list.add(change.isFirst ? "addSealing" : "putSealing", "sealing", 1, JSON.stringify(change.sealing));
      return;
  }
}

function addChange(list: RowList, change: Exclude<Change, EventAdd>, shared: SharedPayloads, node: EncodingNode): void {
  switch (change.op) {
    case "user.put": {
      const { user, keyIndex } = change;
      list.add("putUser", "user", user.id, keyIndex ?? user.apiKey, JSON.stringify(user));
      return;
    }
    case "component.put":
      addComponent(list, change);
      return;
    case "registry_file.put":
    case "registry_file.delete":
    case "project.put":
    case "project.delete":
      addNamed(list, change);
      return;
    case "account.put":
    case "account.delete":
    case "app.put":
    case "app.delete":
    case "sealing.put":
      addSecretChange(list, change);
      return;
    case "source.put":
      addSource(list, change.source);
      return;
    case "source.delete":
      addSourceDelete(list, change.id);
      return;
    case "transition.put":
      addTransition(list, change);
      return;
    case "transition.delete":
      list.add("deleteTransition", "transition", change.sourceId);
      return;
    case "trigger.add":
      addTrigger(list, change, shared, node);
      return;
    case "message.done":
      list.add("finishMessage", `message:${change.id}`, change.id);
      return;
    case "trigger.start":
      list.add("startTrigger", `inbox:${change.id}`, change.id);
      return;
    case "trigger.remove":
      list.add("removeTrigger", `inbox:${change.id}`, change.id);
      return;
    case "db.set":
      addValue(list, change);
      return;
    case "data_store.set":
    case "data_store.delete":
      addStored(list, change);
      return;
    case "dedupe.set": {
      const { strategy, ids } = change.state;
      const { sourceId, channel } = change;
      list.add("setDedupe", `dedupe:${sourceId}`, sourceId, channel, strategy, JSON.stringify(ids));
      return;
    }
    case "dedupe.reset":
      list.add("deleteDedupe", `dedupe:${change.sourceId}`, change.sourceId);
      return;
    case "events.delete":
      addEventRange(list, change);
      return;
    case "events.trim": {
      const { emitterId, stream, keep } = change;
      list.add("trimEvents", `event:${emitterId} ${stream}`, emitterId, streamNumbers[stream], keep);
      return;
    }
    case "execution.add":
    case "executions.trim":
      addExecutionChange(list, change);
      return;
    case "timer.set":
      addTimer(list, change);
      return;
    case "usage.add": {
      const { userId, day, invocations, computeMs } = change;
      list.add("addUsage", `usage:${userId}`, userId, day, node.share, invocations, computeMs);
      return;
    }
    default:
      if (isAppChange(change)) addAppChange(list, change);
      else addDeliveryChange(list, change, shared);
  }
}

/** The changes without triggers of other nodes: a payload that they shared would make nodes wait for each other. */
const ownChanges = (changes: readonly Change[], node: EncodingNode): readonly Change[] =>
  node === onlyNode
    ? changes
    : changes.filter((change) => change.op !== "trigger.add" || node.owns(change.trigger.sourceId));

/** Adds the rows of one commit. Triggers of sources that the node does not own are unseen until their owner finds them. */
export function addChanges(list: RowList, changes: readonly Change[], node: EncodingNode = onlyNode): void {
  const shared = sharedPayloads(ownChanges(changes, node));
  for (const [emitId, { uses, payload }] of shared)
    list.add("sharePayload", `shared:${emitId}`, emitId, uses, Buffer.byteLength(payload), payload);
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index];
    if (change?.op === "event.add") index += addEvents(list, changes, index, change, shared) - 1;
    else if (change) addChange(list, change, shared, node);
  }
}
