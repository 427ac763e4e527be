import {
  array,
  type Arbitrary,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  oneof,
  option,
  record,
  stringMatching,
  tuple,
} from "fast-check";

import {
  exampleAccount,
  exampleApp,
  exampleAutoSubscription,
  exampleComponent,
  exampleDelivery,
  exampleEvent,
  exampleExecution,
  exampleLock,
  exampleSource,
  exampleSubscription,
  exampleTexts,
  exampleTransition,
  exampleTrigger,
  exampleUser,
  exampleWebhook,
} from "../../packages/store/src/conformance/examples.cases.ts";
import type { Change } from "../../packages/store/src/contract.ts";
import { jsonValue, oddText } from "./odd-values.ts";
import { type ChangeInput, encodeChange } from "./store-input.ts";

/** Few ids, so that changes meet each other. */
export const ids = {
  users: ["u_1", "u_2"],
  sources: ["dc_1", "dc_2", "dc_3", "p_1"],
  components: ["sc_1", "sc_2"],
  webhooks: ["wh_1", "wh_2", "wh_3"],
  triggers: ["t_1", "t_2", "t_3"],
  subscriptions: ["sub_1", "sub_2"],
  deliveries: ["dl_1", "dl_2", "dl_3"],
  accounts: ["apn_1", "apn_2", "apn_3"],
  apps: ["acme", "zeta"],
  executions: ["1".repeat(27), "2".repeat(27), "3".repeat(27)],
  endpoints: ["e1", "e2"],
  keys: ["k", "\0", "__proto__", "k ", "K", "é", "\u{1F600}"],
  channels: ["", "side", "\0", "__proto__", "%"],
  days: ["2026-11-19", "2026-11-20", "2026-11-21"],
  registries: ["r1", "r2"],
  streams: ["emits", "$errors", "$logs"],
} as const;

/** A record belongs to one user for ever. */
const ownerOf = (id: string): string => (id.endsWith("2") ? "u_2" : "u_1");
/** An execution has one source. */
const sourceOf = (executionId: string): string => (executionId.endsWith("2") ? "dc_2" : "dc_1");

const one = <T>(values: readonly T[]): Arbitrary<T> => constantFrom(...values);
/** Names that the product lets in have whole characters. */
const name = oddText.map((text) => text.toWellFormed());
const emitId = stringMatching(/^[0-9A-Za-z]{27}$/);
const jsonText = jsonValue.map((value) => JSON.stringify(value));
const time = oneof(integer({ min: 0, max: 20 }), constantFrom(1_000, 1_795_200_360_412, 2 ** 52));
/** Stores keep times and durations as numbers of any kind. */
const real = oneof(
  time,
  double({ min: 0, max: 1e15, noNaN: true }).map((value) => value + 0),
);
const count = integer({ min: 0, max: 4 });
const maybe = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> => option(arbitrary, { nil: undefined });
const eventId = record(
  { ms: integer({ min: 1, max: 9 }), seq: integer({ min: 0, max: 2 }) },
  { noNullPrototype: true },
);
const status = one(["pending", "delivered", "dead"] as const);

/** Optional members: those of the given ones that are there. */
const some = (members: Readonly<Record<string, Arbitrary<unknown>>>): Arbitrary<object> =>
  record(members, { requiredKeys: [], noNullPrototype: true });
const of = <T>(parts: Arbitrary<T>, make: (parts: T) => Change): Arbitrary<ChangeInput> =>
  parts.map((given) => encodeChange(make(given)));

const userId = one(ids.users);
const sourceId = one(ids.sources);
const stream = one(ids.streams);
const createdAt = time;

const records: Arbitrary<ChangeInput>[] = [
  of(
    tuple(userId, one(["key-1", "key-2", "key-3"]), oddText, maybe(one(["i1", "i2"]))),
    ([id, apiKey, username, keyIndex]) => ({
      op: "user.put",
      user: exampleUser(id, { apiKey, username }),
      ...(keyIndex !== undefined && { keyIndex }),
    }),
  ),
  of(
    tuple(one(ids.components), one(["a", "b"]), one(["x", "y"]), maybe(one(["1", "2"])), boolean()),
    ([id, key, contentHash, lock, hasTexts]) => ({
      op: "component.put",
      component: exampleComponent(id, {
        userId: ownerOf(id),
        contentHash,
        ...(lock !== undefined && { packageLock: exampleLock(lock) }),
        shape: { ...exampleComponent(id).shape, key },
      }),
      // The store may have them already; without them it would be no component.
      ...(hasTexts && { texts: exampleTexts({ code: `code ${id}`, bundle: `bundle ${id}`, sourceMap: `map ${id}` }) }),
    }),
  ),
  of(tuple(one(ids.registries), one(["f1", "f2"]), jsonText), ([registry, id, text]) => ({
    op: "registry_file.put",
    registry,
    file: { id, record: text },
  })),
  of(tuple(one(ids.registries), one(["f1", "f2"])), ([registry, id]) => ({ op: "registry_file.delete", registry, id })),
  of(tuple(userId, oneof(one(["shop", "a"]), name), count), ([owner, name, revision]) => ({
    op: "project.put",
    project: { userId: owner, name, revision, resources: [], createdAt: 1, updatedAt: 2 },
  })),
  of(tuple(userId, one(["shop", "a"])), ([owner, name]) => ({ op: "project.delete", userId: owner, name })),
  of(
    tuple(
      sourceId,
      one(ids.components),
      oddText,
      one(["feed", "feed-1", "feed-2", "feed-x", "feed-1-2"]),
      dictionary(oddText, jsonValue, { maxKeys: 3, noNullPrototype: true }),
      dictionary(one(["http", "__proto__"]), one(ids.endpoints), { maxKeys: 2, noNullPrototype: true }),
      boolean(),
    ),
    ([id, componentId, name, nameSlug, configuredProps, endpoints, active]) => ({
      op: "source.put",
      source: exampleSource(id, {
        userId: ownerOf(id),
        componentId,
        name,
        nameSlug,
        configuredProps,
        endpoints,
        active,
      }),
    }),
  ),
  of(sourceId, (id) => ({ op: "source.delete", id })),
  of(
    tuple(one(ids.accounts), one(ids.apps), dictionary(oddText, jsonValue, { maxKeys: 2, noNullPrototype: true })),
    ([id, app, auth]) => ({
      op: "account.put",
      account: exampleAccount(id, { userId: ownerOf(id), app, auth }),
    }),
  ),
  of(one(ids.accounts), (id) => ({ op: "account.delete", id })),
  of(tuple(userId, one(ids.apps), oddText), ([owner, slug, clientSecret]) => ({
    op: "app.put",
    app: exampleApp(slug, { userId: owner, clientSecret }),
  })),
  of(tuple(userId, one(ids.apps)), ([owner, slug]) => ({ op: "app.delete", userId: owner, slug })),
  of(tuple(one(["s1", "s2"]), maybe(constant(true as const))), ([salt, isFirst]) => ({
    op: "sealing.put",
    sealing: { key: "file", salt, check: "c", swept: false },
    ...(isFirst && { isFirst }),
  })),
  of(tuple(userId, one(ids.days), count, real), ([owner, day, invocations, computeMs]) => ({
    op: "usage.add",
    userId: owner,
    day,
    invocations,
    computeMs,
  })),
];

const work: Arbitrary<ChangeInput>[] = [
  of(
    tuple(sourceId, boolean(), count, boolean(), maybe(one(ids.components))),
    ([id, running, crashes, after, unsaved]) => ({
      op: "transition.put",
      transition: exampleTransition(id, {
        running,
        crashes,
        towards: after ? "after" : "before",
        ...(unsaved !== undefined && { unsaved: exampleComponent(unsaved) }),
      }),
      ...(unsaved !== undefined && {
        texts: exampleTexts({ code: `code ${unsaved}`, bundle: `bundle ${unsaved}`, sourceMap: `map ${unsaved}` }),
      }),
    }),
  ),
  of(sourceId, (id) => ({ op: "transition.delete", sourceId: id })),
  of(
    tuple(
      one(ids.triggers),
      sourceId,
      one(["TIMER", "HTTP", "MANUAL", "SUBSCRIPTION"] as const),
      jsonText,
      maybe(one(["", "AP8=", "4pyT"])),
      time,
      boolean(),
      some({ received: jsonText, httpProp: name, ofError: constant(true) }),
    ),
    ([id, owner, type, event, body, at, running, more]) => ({
      op: "trigger.add",
      trigger: exampleTrigger(id, {
        sourceId: owner,
        type,
        event,
        at,
        ...(body !== undefined && { body: new Uint8Array(Buffer.from(body, "base64")) }),
        ...more,
      }),
      running,
    }),
  ),
  of(one(ids.triggers), (id) => ({ op: "trigger.start", id })),
  of(one(ids.triggers), (id) => ({ op: "trigger.remove", id })),
  of(tuple(sourceId, oneof(one(ids.keys), name), maybe(jsonText), time), ([id, key, value, at]) => ({
    op: "db.set",
    sourceId: id,
    key,
    value,
    at,
  })),
  of(
    tuple(sourceId, one(ids.channels), one(["unique", "greatest", "last"] as const), array(oddText, { maxLength: 3 })),
    ([id, channel, strategy, list]) => ({ op: "dedupe.set", sourceId: id, channel, state: { strategy, ids: list } }),
  ),
  of(sourceId, (id) => ({ op: "dedupe.reset", sourceId: id })),
  of(
    tuple(
      sourceId,
      stream,
      eventId,
      one(ids.channels),
      jsonText,
      emitId,
      some({ dedupeId: oddText, summary: name, ts: real }),
    ),
    ([emitterId, kind, { ms, seq }, channel, payload, emit, more]) => ({
      op: "event.add",
      event: exampleEvent(ms, seq, { emitterId, stream: kind, name: channel, payload, emitId: emit, ...more }),
    }),
  ),
  of(tuple(sourceId, stream, some({ start: eventId, end: eventId })), ([emitterId, kind, range]) => ({
    op: "events.delete",
    emitterId,
    stream: kind,
    range,
  })),
  of(tuple(sourceId, stream, count), ([emitterId, kind, keep]) => ({
    op: "events.trim",
    emitterId,
    stream: kind,
    keep,
  })),
  of(tuple(sourceId, maybe(tuple(time, time))), ([id, next]) => ({
    op: "timer.set",
    sourceId: id,
    next: next && { at: next[0], lastAt: next[1] },
  })),
  of(
    tuple(
      one(ids.executions),
      one(["ok", "error", "timeout"] as const),
      real,
      one([100, 1_000]),
      some({ replayOf: one(ids.executions), summary: name, undone: constant(true) }),
    ),
    ([id, state, endedAt, bytes, more]) => ({
      op: "execution.add",
      execution: exampleExecution(
        id,
        { sourceId: sourceOf(id), userId: ownerOf(id), status: state, endedAt, ...more },
        bytes,
      ),
    }),
  ),
  of(tuple(sourceId, count, count, maybe(one([0, 150, 1_500]))), ([id, keep, keepFailed, bytes]) => ({
    op: "executions.trim",
    sourceId: id,
    keep,
    keepFailed,
    ...(bytes !== undefined && { bytes }),
  })),
];

const deliveries: Arbitrary<ChangeInput>[] = [
  of(
    tuple(
      one(ids.subscriptions),
      one([...ids.sources, "dc_*"]),
      one([...ids.sources, ...ids.webhooks]),
      one(ids.channels),
    ),
    ([id, emitterId, listenerId, eventName]) => ({
      op: "subscription.add",
      subscription: exampleSubscription(id, { userId: ownerOf(id), emitterId, listenerId, eventName }),
    }),
  ),
  of(one(ids.subscriptions), (id) => ({ op: "subscription.delete", id })),
  of(
    tuple(one(ids.subscriptions), one([...ids.sources, ...ids.webhooks]), one(ids.channels)),
    ([id, listenerId, eventName]) => ({
      op: "auto_subscription.add",
      autoSubscription: exampleAutoSubscription(id, { userId: ownerOf(id), listenerId, eventName }),
    }),
  ),
  of(one(ids.subscriptions), (id) => ({ op: "auto_subscription.delete", id })),
  of(tuple(one(ids.webhooks), maybe(oddText), boolean(), count), ([id, name, active, skipped]) => ({
    op: "webhook.put",
    webhook: exampleWebhook(id, { userId: ownerOf(id), name: name ?? null, active, skipped }),
  })),
  of(one(ids.webhooks), (id) => ({ op: "webhook.delete", id })),
  of(tuple(one(ids.webhooks), count), ([id, skips]) => ({ op: "webhook.skip", id, count: skips })),
  of(
    tuple(
      one(ids.deliveries),
      one(ids.webhooks),
      sourceId,
      status,
      maybe(time),
      createdAt,
      jsonText,
      emitId,
      some({ ts: real, trace: name }),
    ),
    ([id, webhookId, emitterId, state, nextAttemptAt, at, payload, emit, more]) => ({
      op: "delivery.add",
      delivery: exampleDelivery(id, {
        webhookId,
        emitterId,
        status: state,
        nextAttemptAt: state === "pending" ? (nextAttemptAt ?? 5) : null,
        createdAt: at,
        payload,
        emitId: emit,
        ...more,
      }),
    }),
  ),
  of(tuple(one(ids.deliveries), status, time, count), ([id, state, at, attempts]) => ({
    op: "delivery.update",
    id,
    status: state,
    nextAttemptAt: state === "pending" ? at : null,
    attempts: Array.from({ length: attempts }, (_, n) => ({ at: n, httpStatus: 500, error: null, durationMs: 1.5 })),
  })),
  of(tuple(one(ids.webhooks), status, count), ([webhookId, state, keep]) => ({
    op: "deliveries.trim",
    webhookId,
    status: state,
    keep,
  })),
];

/** An event with the triggers and deliveries that it leads to, which share its payload. */
const fanOut: Arbitrary<readonly ChangeInput[]> = tuple(
  sourceId,
  eventId,
  emitId,
  jsonText,
  array(tuple(one(ids.triggers), sourceId, boolean()), { maxLength: 2 }),
  array(tuple(one(ids.deliveries), one(ids.webhooks)), { maxLength: 2 }),
  boolean(),
).map(([emitterId, { ms, seq }, emit, payload, triggers, sent, isLast]) => {
  const event: Change = { op: "event.add", event: exampleEvent(ms, seq, { emitterId, payload, emitId: emit }) };
  const listeners: Change[] = [
    ...triggers.map(([id, listener, running]): Change => ({
      op: "trigger.add",
      trigger: exampleTrigger(id, { sourceId: listener, type: "SUBSCRIPTION", event: payload }),
      running,
      emitId: emit,
    })),
    ...sent.map(([id, webhookId]): Change => ({
      op: "delivery.add",
      delivery: exampleDelivery(id, { webhookId, emitterId, eventId: { ms, seq }, emitId: emit, payload }),
    })),
  ];
  return (isLast ? [...listeners, event] : [event, ...listeners]).map(encodeChange);
});

/** Lists of changes, as commits have them; some of them are refused. */
export const changeList: Arbitrary<readonly ChangeInput[]> = array(
  oneof(
    { weight: 3, arbitrary: oneof(...records).map((change) => [change]) },
    { weight: 4, arbitrary: oneof(...work).map((change) => [change]) },
    { weight: 3, arbitrary: oneof(...deliveries).map((change) => [change]) },
    { weight: 2, arbitrary: fanOut },
  ),
  { minLength: 1, maxLength: 6, size: "max" },
).map((groups) => groups.flat());
