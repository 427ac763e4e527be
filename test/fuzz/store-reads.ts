import { XError } from "@x/runtime";

import type { Page, TriggerHead } from "../../packages/model/src/model.ts";
import { exampleComponent } from "../../packages/store/src/conformance/examples.cases.ts";
import type { Store } from "../../packages/store/src/contract.ts";
import { ids } from "./store-changes.ts";

type Reads = readonly (readonly [name: string, read: (store: Store) => Promise<unknown>])[];

const each = <T>(values: readonly T[], make: (value: T) => Reads): Reads => values.flatMap(make);
const kept = { keep: 1, keepFailed: 1 };

/** Pages from both ends, around cursors that are there, were there and never were. */
const pages = (cursors: readonly string[]): readonly Page[] => [
  { limit: 100 },
  { limit: 1 },
  ...cursors.flatMap((cursor) => [
    { limit: 2, after: cursor },
    { limit: 1, before: cursor },
  ]),
];

/** Lists without an order are compared as sets. */
const unordered = async (list: Promise<readonly unknown[]>): Promise<readonly string[]> =>
  (await list).map((value) => JSON.stringify(plain(value))).toSorted();

/** Without each trigger's share of an event that several have: stores in files keep such an event once. */
const heads = async (list: Promise<readonly TriggerHead[]>): Promise<readonly unknown[]> =>
  (await list).map(({ bytes, wholeBytes = bytes, ...head }) => ({ ...head, wholeBytes }));

const ofUser = (user: string): Reads => [
  [`user ${user}`, (store) => store.user(user)],
  ...each(["a", "b"], (key): Reads => [[`componentByKey ${user} ${key}`, (store) => store.componentByKey(user, key)]]),
  ...each(["x", "y"], (hash): Reads => [
    [`componentByContent ${user} ${hash}`, (store) => store.componentByContent(user, hash)],
  ]),
  [`projects ${user}`, (store) => store.projects(user)],
  [`project ${user}`, (store) => store.project(user, "shop")],
  ...each(["feed", "feed-1"], (slug): Reads => [
    [`sourceBySlug ${user} ${slug}`, (store) => store.sourceBySlug(user, slug)],
    [`slugs ${user} ${slug}`, async (store) => (await store.slugs(user, slug)).toSorted()],
  ]),
  ...each(pages(ids.sources), (page): Reads => [
    [`sources ${user} ${JSON.stringify(page)}`, (store) => store.sources(user, page)],
    [`sources dc ${user} ${JSON.stringify(page)}`, (store) => store.sources(user, page, "dc")],
  ]),
  ...each(pages(ids.webhooks), (page): Reads => [
    [`webhooks ${user} ${JSON.stringify(page)}`, (store) => store.webhooks(user, page)],
  ]),
  ...each(pages(ids.accounts), (page): Reads => [
    [`accounts ${user} ${JSON.stringify(page)}`, (store) => store.accounts(user, page)],
    [`accounts acme ${user} ${JSON.stringify(page)}`, (store) => store.accounts(user, page, "acme")],
  ]),
  ...each(pages(ids.executions.slice(0, 2)), (page): Reads => [
    [`executions ${user} ${JSON.stringify(page)}`, (store) => store.executions(user, page)],
  ]),
  [`executions failed ${user}`, (store) => store.executions(user, { limit: 10, status: "failed", since: 4 })],
  [`newestHeads ${user}`, (store) => store.newestHeads(user, "emits", 3)],
  [`usage ${user}`, (store) => store.usage(user, ids.days[0])],
  [`usage of days ${user}`, (store) => store.usage(user, ids.days[0], ids.days[1])],
  [`subscriptions ${user}`, (store) => store.subscriptions(user)],
  [`autoSubscriptions ${user}`, (store) => store.autoSubscriptions(user)],
  ...each(ids.apps, (slug): Reads => [[`app ${user} ${slug}`, (store) => store.app(user, slug)]]),
  [`apps ${user}`, (store) => store.apps(user)],
];

const ofStream = (id: string, stream: "emits" | "$errors" | "$logs"): Reads => [
  [`events ${id} ${stream}`, (store) => store.events(id, stream, { limit: 100, retention: 100 })],
  [`events kept ${id} ${stream}`, (store) => store.events(id, stream, { limit: 2, retention: 2 })],
  [
    `events after ${id} ${stream}`,
    (store) => store.events(id, stream, { limit: 2, retention: 4, after: { ms: 5, seq: 1 }, name: "" }),
  ],
  [
    `events before ${id} ${stream}`,
    (store) => store.events(id, stream, { limit: 2, retention: 4, before: { ms: 3, seq: 0 }, wholeBytes: 5 }),
  ],
  [`events side ${id} ${stream}`, (store) => store.events(id, stream, { limit: 9, retention: 9, name: "side" })],
  [`eventCounts ${id} ${stream}`, (store) => store.eventCounts(id, stream, { from: 2, ms: 2, count: 3 })],
];

const ofSource = (id: string): Reads => [
  [`source ${id}`, (store) => store.source(id)],
  [`sourceState ${id}`, (store) => store.sourceState(id)],
  [`db ${id}`, (store) => store.db(id)],
  [`dbTimes ${id}`, (store) => store.dbTimes(id)],
  ...each(ids.streams, (stream) => ofStream(id, stream)),
  [`triggers ${id}`, (store) => heads(store.triggers(id))],
  [`executions of ${id}`, (store) => store.executions("u_1", { limit: 9, source: { id, kept } })],
  ...each(ids.webhooks, (webhook): Reads => [
    [`nextDelivery ${webhook} ${id}`, (store) => store.nextDelivery(webhook, id)],
  ]),
];

const ofWebhook = (id: string): Reads => [
  [`webhook ${id}`, (store) => store.webhook(id)],
  ...each(pages(ids.deliveries), (page): Reads => [
    [`deliveries ${id} ${JSON.stringify(page)}`, (store) => store.deliveries(id, page)],
  ]),
  [`deliveryCounts ${id}`, (store) => store.deliveryCounts(id, { now: 10, since: 5 })],
  [`deliveries attempted ${id}`, (store) => store.deliveries(id, { limit: 2, attempted: true })],
  [`deliveries pending ${id}`, (store) => store.deliveries(id, { limit: 2, status: "pending" })],
  [`deliveryLanes ${id}`, (store) => unordered(store.deliveryLanes(id))],
];

const reads: Reads = [
  ["users", (store) => store.users()],
  ...each(ids.users, ofUser),
  ...each(ids.components, (id): Reads => [
    [`component ${id}`, (store) => store.component(id)],
    [`text ${id}`, (store) => store.text(exampleComponent(id).texts.bundle)],
  ]),
  ["lockKeys", async (store) => (await store.lockKeys(["sc_2"])).toSorted()],
  ...each(ids.registries, (name): Reads => [
    [`registryFiles ${name}`, (store) => unordered(store.registryFiles(name))],
  ]),
  ...each(ids.sources, ofSource),
  ...each(ids.endpoints, (key): Reads => [[`sourceByEndpoint ${key}`, (store) => store.sourceByEndpoint(key)]]),
  ["searchExecutions", (store) => unordered(store.searchExecutions(ids.executions, "e"))],
  ...each(ids.executions, (id): Reads => [[`execution ${id}`, (store) => store.execution(id)]]),
  ["timers", (store) => unordered(store.timers())],
  ["triggers", (store) => heads(store.triggers())],
  ...each(ids.triggers, (id): Reads => [[`trigger ${id}`, (store) => store.trigger(id)]]),
  ["transitions", (store) => unordered(store.transitions())],
  ["subscriptions", (store) => store.subscriptions()],
  ["autoSubscriptions", (store) => store.autoSubscriptions()],
  ...each(ids.webhooks, ofWebhook),
  ["allWebhooks", (store) => store.allWebhooks()],
  ...each(ids.deliveries, (id): Reads => [[`delivery ${id}`, (store) => store.delivery(id)]]),
  ["deliveryLanes", (store) => unordered(store.deliveryLanes())],
  ["pendingDeliveries", (store) => store.pendingDeliveries()],
  ...each(ids.accounts, (id): Reads => [[`account ${id}`, (store) => store.account(id)]]),
  ["sealing", (store) => store.sealing()],
];

/** Plain data of the same meaning: no maps, bytes or absent members, and one order of the others. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("hex") };
  if (value instanceof Map) return plain([...(value as Map<string, unknown>)].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

/** What every read of a store returns, by its name; the code of an error where it is refused. */
export async function readAll(store: Store): Promise<ReadonlyMap<string, unknown>> {
  const values = await Promise.all(
    reads.map(async ([name, read]): Promise<[string, unknown]> => {
      try {
        return [name, plain(await read(store))];
      } catch (error) {
        return [name, XError.is(error) ? `refused: ${error.code}` : error];
      }
    }),
  );
  return new Map(values);
}
