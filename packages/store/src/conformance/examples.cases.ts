import type { AppEndpoint } from "../../../model/src/app-events.ts";
import type { AccountApp } from "../../../model/src/account-app.ts";
import type { ExecutionRecord, ExecutionSummary } from "../../../model/src/execution-model.ts";
import type { AutoSubscription, QueuedDelivery, Subscription, Webhook } from "../../../model/src/listener-model.ts";
import type {
  Account,
  Component,
  ComponentTexts,
  Source,
  StoredEvent,
  Trigger,
  User,
} from "../../../model/src/model.ts";
import type { PackageLock } from "../../../model/src/package-lock.ts";
import { sha256Hex } from "../../../model/src/process/sha256.ts";
import type { Change, StoredTransition } from "../contract.ts";

/** Complete records for tests; each test overrides what it is about. */
export const exampleUser = (id: string, override: Partial<User> = {}): User => ({
  id,
  username: id,
  email: `${id}@example.org`,
  apiKey: `key-of-${id}`,
  createdAt: 1_000,
  ...override,
});

export const exampleComponent = (id: string, override: Partial<Component> = {}): Component => ({
  id,
  userId: "u_1",
  texts: { code: sha256Hex(`code ${id}`), bundle: sha256Hex(`bundle ${id}`), sourceMap: sha256Hex(`map ${id}`) },
  codeHash: "c0de",
  contentHash: `content-of-${id}`,
  componentUrl: null,
  shape: {
    name: "Feed",
    version: "0.1.0",
    key: "demo-feed",
    dedupe: "unique",
    props: [{ name: "db", type: "$.service.db" }],
    hooks: ["deploy"],
  },
  createdAt: 1_000,
  updatedAt: 1_000,
  ...override,
});

export const exampleLock = (version: string): PackageLock => ({
  requests: { it: "node_modules/it" },
  packages: { "node_modules/it": { version } },
});

export const exampleTexts = (override: Partial<ComponentTexts> = {}): ComponentTexts => ({
  code: "export default {}",
  bundle: 'module.exports = { "text": "\u{1F600}\0" }',
  sourceMap: "{}",
  ...override,
});

export const exampleSource = (id: string, override: Partial<Source> = {}): Source => ({
  id,
  userId: "u_1",
  componentId: "sc_1",
  deploymentId: "d_1",
  name: "Feed",
  nameSlug: id.replace("_", "-").toLowerCase(),
  active: true,
  configuredProps: { url: "https://example.org", timer: { cron: null, interval_seconds: 60 } },
  endpoints: {},
  emitOnDeploy: true,
  settings: { runTimeoutMs: 5_000 },
  createdAt: 1_000,
  updatedAt: 1_000,
  ...override,
});

/** An update whose first hook runs. */
export const exampleTransition = (sourceId: string, override: Partial<StoredTransition> = {}): StoredTransition => ({
  kind: "update",
  source: exampleSource(sourceId),
  ignoreHookErrors: false,
  towards: "after",
  ahead: [
    { hook: "deactivate", of: "before" },
    { hook: "activate", of: "after" },
  ],
  changes: [{ op: "db.set", sourceId, key: "k", value: '"\0"', at: 1_000 }],
  crashes: 0,
  running: true,
  ...override,
});

export const exampleTrigger = (id: string, override: Partial<Trigger> = {}): Trigger => ({
  id,
  sourceId: "dc_1",
  type: "TIMER",
  event: '{"timestamp":1}',
  at: 1_000,
  crashes: 0,
  hops: 0,
  ...override,
});

export const exampleEvent = (ms: number, seq: number, override: Partial<StoredEvent> = {}): StoredEvent => ({
  emitterId: "dc_1",
  stream: "emits",
  id: { ms, seq },
  emitId: "2r7SxSq4bTzRNfBPZCq3vWnZbX1",
  name: "",
  payload: `{"n":${seq}}`,
  ...override,
});

export const exampleExecution = (
  id: string,
  override: Partial<ExecutionSummary> = {},
  bytes = 1_000,
): ExecutionRecord => ({
  summary: {
    id,
    sourceId: "dc_1",
    userId: "u_1",
    entry: "run",
    type: "TIMER",
    status: "ok",
    queuedAt: 1_000,
    startedAt: 1_001,
    endedAt: 1_010.5,
    sandboxMs: 12.5,
    durationMs: 9.5,
    computeMs: 1.5,
    memoryBytes: 1_000_000,
    emittedCount: 1,
    deduped: 0,
    logCount: 0,
    callCount: 0,
    dbChangeCount: 0,
    summary: "\u{1F600}\ud800",
    ...override,
  },
  detail: {
    event: '{"text":"\\ud800"}',
    eventBytes: 17,
    hops: 0,
    emitted: [{ id: "1000-0", name: "", payload: '{"n":0}', payloadBytes: 7, listeners: [] }],
    dropped: [],
    logs: [],
    steps: [],
    calls: [],
    db: [],
    omitted: {},
    response: null,
    error: null,
  },
  bytes,
});

export const exampleSubscription = (id: string, override: Partial<Subscription> = {}): Subscription => ({
  id,
  userId: "u_1",
  emitterId: "dc_1",
  listenerId: "wh_1",
  eventName: "",
  createdAt: 1_000,
  ...override,
});

export const exampleAutoSubscription = (id: string, override: Partial<AutoSubscription> = {}): AutoSubscription => ({
  id,
  userId: "u_1",
  eventName: "",
  listenerId: "wh_1",
  createdAt: 1_000,
  ...override,
});

export const exampleWebhook = (id: string, override: Partial<Webhook> = {}): Webhook => ({
  id,
  userId: "u_1",
  name: "Archive",
  description: null,
  url: "https://example.org/hook",
  active: true,
  format: "event",
  signingKey: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
  previousKeys: [],
  skipped: 0,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...override,
});

export const exampleAccount = (id: string, override: Partial<Account> = {}): Account => ({
  id,
  userId: "u_1",
  app: "acme",
  name: "Work",
  auth: { api_key: `credentials-of-${id}`, nested: { list: [1, null, "\u{1F600}\0"] } },
  createdAt: 1_000,
  updatedAt: 1_000,
  ...override,
});

export const exampleAppEndpoint = (slug: string, more: Partial<AppEndpoint> = {}): AppEndpoint => ({
  userId: "u_1",
  slug,
  key: `key-of-${slug}`,
  service: "slack",
  verification: { scheme: "slack", secrets: ["signing secret"], parameters: { tolerance: 60 } },
  allUsers: false,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...more,
});

export const exampleApp = (slug: string, override: Partial<AccountApp> = {}): AccountApp => ({
  userId: "u_1",
  slug,
  oauth: { clientId: `client-of-${slug}`, tokenUrl: "https://auth.example.test/token", scopes: ["read"] },
  clientSecret: `client-secret-of-${slug}`,
  fields: [],
  createdAt: 1_000,
  updatedAt: 1_000,
  ...override,
});

export const exampleDelivery = (id: string, override: Partial<QueuedDelivery> = {}): QueuedDelivery => ({
  id,
  webhookId: "wh_1",
  emitterId: "dc_1",
  eventId: { ms: 1_000, seq: 0 },
  emitId: "2r7SxSq4bTzRNfBPZCq3vWnZbX1",
  eventName: "",
  status: "pending",
  attempts: [],
  nextAttemptAt: 1_000,
  createdAt: 1_000,
  payload: '{"n":1}',
  ...override,
});

export const addDelivery = (delivery: QueuedDelivery): Change => ({ op: "delivery.add", delivery });

export const putSource = (source: Source): Change => ({ op: "source.put", source });
export const addEvent = (event: StoredEvent): Change => ({ op: "event.add", event });
export const addTrigger = (trigger: Trigger, running = false): Change => ({ op: "trigger.add", trigger, running });
export const setValue = (sourceId: string, key: string, value: string | undefined): Change => ({
  op: "db.set",
  sourceId,
  key,
  value,
  at: 1_000,
});
