import { createMemory, type Memory } from "@x/runtime";

import type { Change } from "../../packages/store/src/contract.ts";
import { newEndpointKey, newId, newSortableId } from "../../packages/model/src/process/ids.ts";
import type { Source } from "../../packages/model/src/model.ts";
import { testEngineWithin } from "../../packages/runtime/src/engine.cases.ts";
import { connected, listenerText } from "../../packages/runtime/src/app-events/app-trial.cases.ts";
import { component } from "../conformance/fixture.ts";
import { type Served, startServed } from "./served.ts";

const code = component({
  name: "Many",
  props: 'http: "$.interface.http", db: "$.service.db"',
  run: `this.db.set("key 0", { order: 1 }); console.log("read order", event.body); this.$emit({ order: 1, buyer: "Ada" }, { summary: "Order 1 of Ada" });
    if (event.body.fails) throw new Error("the shop refused order 1");`,
});

/** One of each kind, which the others are copies of. */
interface Patterns {
  readonly source: string;
  readonly listener: string;
  readonly workflow: string;
  readonly webhook: string;
  readonly account: string;
}

/** A service with very many rows on each page, and what has the most of them. */
export interface ManyRows extends Served {
  readonly ids: Patterns;
}

/** Makes one of each. */
async function makePatterns({ runtime }: Served): Promise<Patterns> {
  const { source } = await runtime.deploy({ code, name: "source 0" });
  const webhook = await runtime.createWebhook({ url: "https://shop.test/hook/0", name: "webhook 0" });
  await runtime.subscribe({ emitterId: source.id, listenerId: webhook.id });
  for (const fails of [false, true])
    await fetch(source.endpoints["http"] ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ fails }),
    });
  await runtime.idle();
  await runtime.updateWebhook(webhook.id, { active: false });
  const app = await connected(runtime, "slack", { team_id: "T0" });
  await runtime.putAppEndpoint({ app: "slack", secret: "secret" });
  const listener = await runtime.deploy({
    code: listenerText("slack", 'eventNames: ["message"]'),
    name: "listener 0",
    props: { app },
  });
  const workflow = `export default { name: "workflow 0", steps: [{ name: "only", run() {} }] };`;
  const { id } = await runtime.workflow({ code: workflow, name: "workflow 0" });
  return {
    source: source.id,
    listener: listener.source.id,
    workflow: id,
    webhook: webhook.id,
    account: app.authProvisionId,
  };
}

type Store = ReturnType<Memory["open"]>;

const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error("A pattern is missing");
  return value;
};

const named = (source: Source, id: string, name: string): Source => ({
  ...source,
  id,
  name,
  nameSlug: name.replace(" ", "-"),
  endpoints: Object.fromEntries(Object.keys(source.endpoints).map((prop) => [prop, newEndpointKey()])),
});

/** Sources, listeners, workflows, webhooks, subscriptions, accounts, apps, data stores and users. */
async function copyObjects(store: Store, ids: Patterns, count: number): Promise<void> {
  const source = found(await store.source(ids.source));
  const listener = found(await store.source(ids.listener));
  const workflow = found(await store.source(ids.workflow));
  const webhook = found(await store.webhook(ids.webhook));
  const account = found(await store.account(ids.account));
  const endpoint = found((await store.appEndpoints(source.userId))[0]);
  const user = found((await store.users())[0]);
  const [subscription] = await store.subscriptions();
  const changes = Array.from({ length: count - 1 }, (_, index): readonly Change[] => {
    const n = index + 1;
    const [sourceId, webhookId] = [newId("dc"), newId("wh")];
    return [
      { op: "source.put", source: named(source, sourceId, `source ${n}`) },
      { op: "source.put", source: named(listener, newId("dc"), `listener ${n}`) },
      { op: "source.put", source: named(workflow, newId("p"), `workflow ${n}`) },
      {
        op: "webhook.put",
        webhook: { ...webhook, id: webhookId, name: `webhook ${n}`, url: `https://shop.test/hook/${n}` },
      },
      {
        op: "subscription.add",
        subscription: { ...found(subscription), id: newId("sub"), emitterId: sourceId, listenerId: webhookId },
      },
      { op: "account.put", account: { ...account, id: newId("apn"), name: `account ${n}` } },
      { op: "app_endpoint.put", endpoint: { ...endpoint, slug: `app_${n}`, key: newEndpointKey() } },
      { op: "data_store.set", userId: user.id, name: `store-${n}`, key: "key", value: "1", at: 0 },
      { op: "user.put", user: { ...user, id: newId("u"), username: `user ${n}`, apiKey: `key of user ${n}` } },
    ];
  });
  await store.commit(changes.flat());
}

/**
 * A source with runs, events, errors, logs and db keys, deliveries of one webhook, and keys of a data store, one in each second;
 * resolves with the source.
 */
async function copyRecords(store: Store, ids: Patterns, count: number): Promise<string> {
  // Of the pattern's own, the events are newer than these.
  const busy = newId("dc");
  const source = found(await store.source(ids.source));
  const kept = { keep: 2, keepFailed: 2 };
  const { items } = await store.executions(source.userId, { limit: 2, source: { id: ids.source, kept } });
  const runs = await Promise.all(items.map(async ({ id }) => found(await store.execution(id))));
  const streams = ["emits", "$errors", "$logs"] as const;
  const events = await Promise.all(
    streams.map(async (stream) => found((await store.events(ids.source, stream, { limit: 1, retention: 1 })).items[0])),
  );
  const [subscription] = await store.subscriptions();
  const delivery = found((await store.deliveries(ids.webhook, { limit: 1 })).items[0]);
  const payload = found(events[0]).payload;
  const first = Date.now() - count * 1_000;
  const changes = Array.from({ length: count }, (_, n): readonly Change[] => {
    const at = first + n * 1_000;
    const run = found(runs[n % 10 === 0 ? 0 : 1]);
    const id = newSortableId(at);
    const times = { queuedAt: at, startedAt: at, endedAt: at + 1 };
    return [
      {
        op: "execution.add",
        execution: { ...run, summary: { ...run.summary, ...times, id, sourceId: busy, summary: `Order ${n}` } },
      },
      ...events.map((event): Change => ({
        op: "event.add",
        event: {
          ...event,
          emitterId: busy,
          id: { ms: at, seq: 0 },
          emitId: newSortableId(at),
          ...(event.stream === "emits" && { summary: `Order ${n}` }),
          // As an author writes them: each with a number.
          payload: event.payload.replaceAll("order 1", `order ${n}`).replaceAll(ids.source, busy),
        },
      })),
      { op: "db.set", sourceId: busy, key: `key ${n}`, value: `{"order":${n}}`, at },
      {
        op: "data_store.set",
        userId: source.userId,
        name: "busy",
        key: `key ${n}`,
        value: `{"order":${n}}`,
        at,
      },
      {
        op: "delivery.add",
        delivery: {
          ...delivery,
          emitterId: busy,
          eventId: { ms: at, seq: 0 },
          payload,
          id: newSortableId(at),
          createdAt: at,
          status: n % 10 === 0 ? "dead" : "delivered",
          nextAttemptAt: null,
        },
      },
    ];
  });
  await store.commit([
    { op: "source.put", source: named(source, busy, "busy source") },
    {
      op: "subscription.add",
      subscription: { ...found(subscription), id: newId("sub"), emitterId: busy, listenerId: ids.webhook },
    },
    ...changes.flat(),
  ]);
  return busy;
}

/** Serves a runtime in memory with so many rows of each kind: written to its store, which is much faster than making them. */
export async function startManyRows(count: number): Promise<ManyRows> {
  const memory = createMemory();
  const engine = await testEngineWithin({
    retention: count,
    executionsPerSource: count,
    executionBytesPerSource: 1024 ** 3,
  });
  const first = await startServed(undefined, { memory, engine });
  const ids = await makePatterns(first);
  await first[Symbol.asyncDispose]();
  const store = memory.open();
  await copyObjects(store, ids, count);
  const source = await copyRecords(store, ids, count);
  await store.close();
  const served = await startServed(undefined, { memory, engine });
  return { ...served, ids: { ...ids, source } };
}
