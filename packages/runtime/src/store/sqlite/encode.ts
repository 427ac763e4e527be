import { compareEventIds } from "../../model/event-id.ts";
import type { Component, ComponentTexts, Source, StoredEvent } from "../../model/model.ts";
import { triggerBytes } from "../../model/trigger-bytes.ts";
import { componentRows, familyOf } from "../component-rows.ts";
import type { Change, SecretChange } from "../contract.ts";
import { pushDeliveryChange } from "./encode-delivery.ts";
import { pushExecutionChange } from "./encode-execution.ts";
import { losslessText } from "../lossless-text.ts";
import { type SharedPayloads, sharedPayloads } from "../payload-sharing.ts";
import { streamNumbers } from "../numbers.ts";
import { writeNumbers as write, type Work } from "./statements.ts";

type EventAdd = Extract<Change, { op: "event.add" }>;
type TriggerAdd = Extract<Change, { op: "trigger.add" }>;

function pushTexts(
  work: Work,
  { texts: hashes }: Component,
  texts: ComponentTexts,
  likeness: string | undefined,
): void {
  for (const name of ["code", "bundle", "sourceMap"] as const satisfies readonly (keyof ComponentTexts)[])
    work.push(write.putText, hashes[name], familyOf(name, likeness), texts[name]);
}

function pushComponent(work: Work, { component, texts }: Extract<Change, { op: "component.put" }>): void {
  const { id, userId, shape, contentHash } = component;
  const { record, lock, likeness } = componentRows(component);
  if (texts) pushTexts(work, component, texts, likeness);
  if (lock) work.push(write.putLock, lock.hash, lock.key, lock.record);
  work.push(write.putComponent, id, userId, shape.key ?? null, contentHash, lock?.hash ?? null, record);
}

function pushSource(work: Work, source: Source): void {
  work.push(write.putSource, source.id, source.userId, source.nameSlug, JSON.stringify(source));
  work.push(write.deleteEndpoints, source.id);
  for (const [prop, key] of Object.entries(source.endpoints)) work.push(write.addEndpoint, key, source.id, prop);
}

function pushTransition(work: Work, { transition, texts }: Extract<Change, { op: "transition.put" }>): void {
  const { crashes, running, ...record } = transition;
  const { unsaved } = transition;
  if (unsaved && texts) pushTexts(work, unsaved, texts, componentRows(unsaved).likeness);
  work.push(write.putTransition, transition.source.id, crashes, running ? 1 : 0, JSON.stringify(record));
}

function pushSourceDelete(work: Work, id: string): void {
  work.push(write.keepSourcePosition, id, write.deleteSource, id, write.deleteEndpoints, id, write.deleteTriggers, id);
  work.push(
    write.deleteValues,
    id,
    write.deleteDedupe,
    id,
    write.deleteHeads,
    id,
    write.deleteEvents,
    id,
    write.deleteExecutions,
    id,
  );
  work.push(write.deleteTimer, id, write.deleteSubscriptionsFrom, id, write.deleteSubscriptionsTo, id);
  work.push(write.deleteAutoSubscriptionsTo, id, write.deleteTransition, id);
}

function pushEvent(work: Work, event: StoredEvent, shared: SharedPayloads): void {
  const { emitterId, stream, id, name, emitId, dedupeId, summary, ts, payload } = event;
  work.push(write.addEvent, emitterId, streamNumbers[stream], id.ms, id.seq, name, emitId);
  const isShared = shared.has(emitId);
  work.push(
    dedupeId === undefined ? null : losslessText(dedupeId),
    summary ?? null,
    ts ?? null,
    isShared ? "" : payload,
    isShared ? 1 : 0,
  );
}

/** Encodes consecutive events of one stream from `start`, with one update of its head. Returns their number. */
function pushEvents(
  work: Work,
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
  work.push(write.moveHead, emitterId, streamNumbers[stream], last.ms, last.seq, ms, seq);
  for (const event of run) pushEvent(work, event, shared);
  return run.length;
}

function pushTrigger(work: Work, { trigger, running, emitId }: TriggerAdd, shared: SharedPayloads): void {
  const { id, sourceId, type, httpProp, at, crashes, hops, ofError, origin, event, body, received } = trigger;
  const isShared = emitId !== undefined && shared.has(emitId);
  work.push(write.addTrigger, id, sourceId, type, httpProp ?? null, at, crashes, hops);
  work.push(ofError === true ? 1 : 0, running ? 1 : 0, isShared ? "" : event, body ?? null);
  work.push(isShared ? emitId : null, triggerBytes(trigger));
  work.push(origin === undefined ? null : JSON.stringify(origin), received ?? null);
}

type NamedChange = Extract<
  Change,
  { op: "registry_file.put" | "registry_file.delete" | "project.put" | "project.delete" }
>;

/** Records that are found by an owner and a name. */
function pushNamed(work: Work, change: NamedChange): void {
  if (change.op === "registry_file.put")
    work.push(write.putRegistryFile, change.registry, change.file.id, change.file.record);
  else if (change.op === "registry_file.delete") work.push(write.deleteRegistryFile, change.registry, change.id);
  else if (change.op === "project.delete") work.push(write.deleteProject, change.userId, change.name);
  else work.push(write.putProject, change.project.userId, change.project.name, JSON.stringify(change.project));
}

function pushSecretChange(work: Work, change: SecretChange): void {
  switch (change.op) {
    case "account.put": {
      const { account } = change;
      work.push(write.putAccount, account.id, account.userId, account.app, JSON.stringify(account));
      return;
    }
    case "account.delete":
      work.push(write.keepAccountPosition, change.id, write.deleteAccount, change.id);
      return;
    case "app.put":
      work.push(write.putApp, change.app.userId, change.app.slug, JSON.stringify(change.app));
      return;
    case "app.delete":
      work.push(write.deleteApp, change.userId, change.slug);
      return;
    case "sealing.put":
      work.push(change.isFirst ? write.addSealing : write.putSealing, JSON.stringify(change.sealing));
      return;
  }
}

function pushChange(work: Work, change: Exclude<Change, EventAdd>, shared: SharedPayloads): void {
  switch (change.op) {
    case "user.put": {
      const { user, keyIndex } = change;
      work.push(write.putUser, user.id, keyIndex ?? user.apiKey, JSON.stringify(user));
      return;
    }
    case "component.put": {
      pushComponent(work, change);
      return;
    }
    case "registry_file.put":
    case "registry_file.delete":
    case "project.put":
    case "project.delete":
      pushNamed(work, change);
      return;
    case "account.put":
    case "account.delete":
    case "app.put":
    case "app.delete":
    case "sealing.put":
      pushSecretChange(work, change);
      return;
    case "source.put":
      pushSource(work, change.source);
      return;
    case "source.delete":
      pushSourceDelete(work, change.id);
      return;
    case "transition.put":
      pushTransition(work, change);
      return;
    case "transition.delete":
      work.push(write.deleteTransition, change.sourceId);
      return;
    case "trigger.add":
      pushTrigger(work, change, shared);
      return;
    case "message.done":
      return;
    case "trigger.start":
      work.push(write.startTrigger, change.id);
      return;
    case "trigger.remove":
      work.push(write.removeTrigger, change.id);
      return;
    case "db.set":
      if (change.value === undefined) work.push(write.deleteValue, change.sourceId, change.key);
      else work.push(write.setValue, change.sourceId, change.key, change.at, change.value);
      return;
    case "dedupe.set": {
      const { strategy, ids } = change.state;
      work.push(write.setDedupe, change.sourceId, change.channel, strategy, JSON.stringify(ids));
      return;
    }
    case "dedupe.reset":
      work.push(write.deleteDedupe, change.sourceId);
      return;
    case "events.delete": {
      const start = change.range.start ?? { ms: 0, seq: 0 };
      const end = change.range.end ?? { ms: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };
      const stream = streamNumbers[change.stream];
      work.push(write.deleteEventRange, change.emitterId, stream, start.ms, start.seq, end.ms, end.seq);
      return;
    }
    case "events.trim":
      work.push(write.trimEvents, change.emitterId, streamNumbers[change.stream], change.keep);
      return;
    case "execution.add":
    case "executions.trim":
      pushExecutionChange(work, change);
      return;
    case "timer.set":
      if (change.next) work.push(write.setTimer, change.sourceId, change.next.at, change.next.lastAt);
      else work.push(write.deleteTimer, change.sourceId);
      return;
    case "usage.add":
      work.push(write.addUsage, change.userId, change.day, change.invocations, change.computeMs);
      return;
    default:
      pushDeliveryChange(work, change, shared);
  }
}

/** Encodes one commit as work for the writer. */
export function encodeChanges(changes: readonly Change[]): Work {
  const work: Work = [];
  const shared = sharedPayloads(changes);
  for (const [emitId, { uses, payload }] of shared) work.push(write.sharePayload, emitId, uses, payload);
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index];
    if (change?.op === "event.add") index += pushEvents(work, changes, index, change, shared) - 1;
    else if (change) pushChange(work, change, shared);
  }
  return work;
}
