import type { RequestEntry } from "../../../model/src/app-events.ts";
import type { Project } from "../../../model/src/project.ts";
import { newSealing, sealWith } from "../sealed/seal.ts";
import { createSealers, createSealingStore, type Sealers } from "../sealed/sealing-store.ts";
import type { Secret } from "../sealed/secret-key.ts";
import {
  addDelivery,
  addEvent,
  addTrigger,
  exampleAccount,
  exampleApp,
  exampleAppEndpoint,
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
  putSource,
  setValue,
} from "../conformance/examples.cases.ts";
import type { Change, Sealing, Store } from "../contract.ts";
import { columnIndex, type MovedRow, movedTables, type RowSource } from "./moved-tables.ts";

const packages = [{ name: "it", version: "1.0.0", integrity: null }];
const library = Array.from({ length: 4_000 }, (_, n) => `var v${n} = ${n * 7919};`).join("\n");
const shared = JSON.stringify("\u{1F600}".repeat(2_000));
const odd = '"\u2028 \u{1F600} \0"';

const component = (n: number): Change => ({
  op: "component.put",
  component: exampleComponent(`sc_${n}`, { userId: `u_${n % 2}`, packages, packageLock: exampleLock("1.0.0") }),
  texts: exampleTexts({ code: `/* ${n} \u{1F600} \0 \uD800 */`, bundle: `${library}\n// ${n}` }),
});

const exampleRequest: RequestEntry = {
  at: 1_000,
  outcome: "delivered",
  names: ["a"],
  eventId: "e_1",
  triggers: 1,
  skipped: 0,
  durationMs: 2.5,
};

/** Commits that leave rows in every table, with texts that are hard to keep. */
const project: Project = {
  userId: "u_1",
  name: "shop",
  revision: 1,
  resources: [{ kind: "source", name: "orders", id: "dc_1", made: true, fingerprint: null }],
  createdAt: 1_000,
  updatedAt: 1_000,
};

const commits: readonly (readonly Change[])[] = [
  [0, 1].map((n): Change => ({ op: "user.put", user: exampleUser(`u_${n}`) })),
  [component(1), component(2), component(3)],
  [{ op: "registry_file.put", registry: "r", file: { id: "a.js", record: odd } }],
  [
    putSource(exampleSource("dc_1", { endpoints: { http: "key-1" }, configuredProps: { token: "secret-of-a-prop" } })),
    putSource(
      exampleSource("dc_2", {
        userId: "u_0",
        nameSlug: "other",
        appEvents: { hook: { app: "acme", appProp: "acme", names: ["a", "b"], accountId: "apn_1" } },
      }),
    ),
    putSource(exampleSource("dc_deleted", { nameSlug: "deleted" })),
  ],
  [{ op: "source.delete", id: "dc_deleted" }],
  [
    { op: "transition.put", transition: exampleTransition("dc_2", { crashes: 1 }) },
    { op: "account.put", account: exampleAccount("apn_1") },
    { op: "app.put", app: exampleApp("acme") },
    { op: "app_endpoint.put", endpoint: exampleAppEndpoint("acme") },
    { op: "app_event.add", userId: "u_1", slug: "acme", id: "e_1", at: 1_000.5 },
    { op: "request.add", owner: "dc_1", entry: exampleRequest },
    { op: "project.put", project },
    { op: "subscription.add", subscription: exampleSubscription("sub_1") },
    { op: "auto_subscription.add", autoSubscription: exampleAutoSubscription("as_1") },
    { op: "webhook.put", webhook: exampleWebhook("wh_1") },
    { op: "webhook.skip", id: "wh_1", count: 3 },
    { op: "timer.set", sourceId: "dc_1", next: { at: 1_000.25, lastAt: 0.5 } },
    { op: "usage.add", userId: "u_1", day: "2026-11-20", invocations: 2, computeMs: 1.5 },
    { op: "dedupe.set", sourceId: "dc_1", channel: "", state: { strategy: "unique", ids: ["a", "\ud800"] } },
    setValue("dc_1", "k\u{1F600}", odd),
    { op: "data_store.set", userId: "u_1", name: "shop", key: "k\u{1F600}", value: odd, at: 1_000.5 },
  ],
  [
    addEvent(exampleEvent(1_000, 0, { emitId: "shared", payload: shared, dedupeId: "\ud800", summary: "s", ts: 0.5 })),
    { op: "trigger.add", trigger: exampleTrigger("t_1", { event: shared }), running: true, emitId: "shared" },
    addDelivery(exampleDelivery("d_1", { emitId: "shared", payload: shared })),
  ],
  [
    addEvent(exampleEvent(1_000, 1)),
    addEvent(exampleEvent(2_000, 0, { stream: "$errors" })),
    addTrigger(
      exampleTrigger("t_2", {
        type: "HTTP",
        httpProp: "http",
        body: new Uint8Array([0, 255, 10]),
        received: odd,
        ofError: true,
      }),
    ),
    addDelivery(exampleDelivery("d_2", { status: "dead", nextAttemptAt: null, createdAt: 1_000.75 })),
    { op: "execution.add", execution: exampleExecution("e_1") },
  ],
];

/** Fills an empty store, and encrypts its secrets. Resolves with how. */
export async function fillWithEverything(inner: Store, secret: Secret): Promise<Sealing> {
  const { seal, sealing } = await newSealing(secret, { key: "given", swept: true });
  const store = createSealingStore(inner, seal);
  for (const changes of commits) await store.commit(changes);
  await store.commit([{ op: "sealing.put", sealing }]);
  return sealing;
}

const isKind = (name: string, sealers: Sealers): name is keyof Sealers => name in sealers;

/** All rows of all tables, with their secrets in plain text. Closes the source. */
export async function everythingIn(
  source: RowSource,
  secret: Secret,
): Promise<{ readonly [table: string]: readonly MovedRow[] }> {
  const seal = source.sealing && (await sealWith(secret, source.sealing));
  if (!seal) throw new Error("The key is another one.");
  const sealers = createSealers(seal);
  const found: { [table: string]: readonly MovedRow[] } = {};
  for (const table of movedTables) {
    const rows: MovedRow[] = [];
    for await (const batch of source.batches(table)) rows.push(...batch);
    const record = columnIndex(table, "record");
    found[table.name] = rows.map((row) => {
      if (!isKind(table.name, sealers))
        return row.map((value) => (value instanceof Uint8Array ? [...value].join() : value));
      const opened = sealers[table.name].open(JSON.parse(String(row[record])) as never);
      // The digest of an API key differs with the key.
      const plain = row.with(record, JSON.stringify(opened));
      return table.name === "user" ? plain.with(columnIndex(table, "api_key"), "") : plain;
    });
  }
  await source.close();
  return found;
}
