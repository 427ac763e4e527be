import { resolve } from "node:path";

import type { Runtime, SavedComponent } from "./api.ts";
import { assemble } from "./assembly.ts";
import { checkOptions } from "./option-rules.ts";
import { XError } from "./errors.ts";
import type { Component } from "./model.ts";
import type { EventsFilter, LiveEvent } from "./events-api.ts";
import { runNow } from "./inbox/run-now.ts";
import { type RuntimeOptions, runtimeLimits, silentLogger } from "./options.ts";
import { parseResumption, resumeEvents } from "./events/resumed-events.ts";
import { laneDb, readDbEntries } from "./sources/source-db.ts";
import type { Store } from "./store/contract.ts";
import { createSourceDb } from "./store/keyv.ts";
import { createMemoryStore } from "./store/memory.ts";
import { openSealedStore } from "./store/open-sealed.ts";
import { parseSecretKey } from "./store/secret-key.ts";
import { openSqliteStore } from "./store/sqlite.ts";
import * as answers from "./trigger/answer.ts";
import { timerEvent } from "./trigger/timer.ts";

const defaultDrainMs = 10_000;

/**
 * Builds a runtime. Nothing fires before `start()`; no port is opened.
 * Rejects with `invalid_options`, with `store_locked`, `store_corrupt`, `store_version`, `store_failed`, or with
 * `secret_key_wrong`, `secret_key_missing`, `secret_key_unreadable`.
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { data, memory, secretKey, logger = silentLogger } = options;
  checkOptions(options);
  runtimeLimits(options);
  if (secretKey !== undefined) parseSecretKey(secretKey);
  if (memory && data !== undefined) throw new XError("invalid_options", ["memory", "absent beside data", "both"]);
  const opened = data === undefined ? (memory?.open() ?? createMemoryStore()) : await openSqliteStore({ folder: data });
  try {
    const store =
      data === undefined ? opened : await openSealedStore(opened, { folder: resolve(data), secretKey, logger });
    return await assembleRuntime(options, store);
  } catch (error) {
    // Or the folder would stay locked.
    await opened.close().catch(() => undefined);
    throw error;
  }
}

/** Internal: the runtime over a store that is open already; closing the runtime closes it. */
export async function assembleRuntime(options: RuntimeOptions, opened: Store): Promise<Runtime> {
  const parts = await assemble(options, opened);
  const {
    limits,
    clock,
    store,
    users,
    accounts,
    components,
    configure,
    sources,
    events,
    live,
    webhooks,
    subscriptions,
    workflows,
    timers,
  } = parts;

  let closed: Promise<void> | undefined;
  const open = (): void => {
    if (closed) throw new XError("closed", []);
  };
  const userOr = (userId: string | undefined): string =>
    (userId === undefined ? users.first : users.existing(userId)).id;

  const withCode = async (component: Component): Promise<SavedComponent> => ({
    ...component,
    code: await parts.texts.get(component.texts.code),
  });

  const runtime: Runtime = {
    limits,
    firstUserId: users.first.id,
    failed: store.failed,
    async start() {
      open();
      await parts.start();
    },
    close: ({ drainMs = defaultDrainMs } = {}) => (closed ??= parts.close(drainMs)),
    [Symbol.asyncDispose]: () => runtime.close(),
    authenticate: (apiKey) => Promise.resolve(users.authenticate(apiKey)),
    user: async (userId) => users.view(userOr(userId)),
    users: async () => users.list().map(({ apiKey: _key, ...entry }) => entry),
    async addUser(input) {
      open();
      return users.add(input);
    },
    async rotateApiKey(userIdOrName) {
      open();
      return users.rotateKey(userIdOrName);
    },
    async saveComponent(input, userId, noted) {
      open();
      return withCode(await components.save(input, userOr(userId), noted));
    },
    component: async (idOrKey, userId) => withCode(await components.find(idOrKey, userOr(userId))),
    async componentTexts(idOrKey, userId) {
      const { texts } = await components.find(idOrKey, userOr(userId));
      const [code, bundle, sourceMap] = await Promise.all(
        [texts.code, texts.bundle, texts.sourceMap].map(async (hash) => parts.texts.get(hash)),
      );
      return { code: code ?? "", bundle: bundle ?? "", sourceMap: sourceMap ?? "" };
    },
    registryComponent: async (key) => withCode(await components.findShared(key)),
    registry: async () => parts.registry.items(),
    async publish(input) {
      open();
      return parts.publish(input);
    },
    async configure(input, userId) {
      open();
      return configure.options(input, userOr(userId));
    },
    async dynamicProps(input, userId) {
      open();
      return configure.dynamicProps(input, userOr(userId));
    },
    async deploy(input, userId) {
      open();
      return sources.deploy(input, userOr(userId));
    },
    async update(id, input, userId) {
      open();
      return sources.update(id, input, userOr(userId));
    },
    async delete(id, given, userId) {
      open();
      await sources.delete(id, given?.ignoreHookErrors ?? false, userOr(userId));
    },
    source: async (id, userId) => sources.view(await sources.own(id, userOr(userId))),
    async sources(page, userId) {
      const { totalCount, items } = await store.sources(userOr(userId), page, "dc");
      return { totalCount, items: await Promise.all(items.map((source) => sources.view(source))) };
    },
    async db(id, userId) {
      open();
      await workflows.ownEmitter(id, userOr(userId));
      return createSourceDb(laneDb(parts), id, () => clock.now());
    },
    async dbEntries(id, userId) {
      await workflows.ownEmitter(id, userOr(userId));
      return readDbEntries(id, parts);
    },
    async nextTick(id, userId) {
      await workflows.ownEmitter(id, userOr(userId));
      return timers.nextOf(id);
    },
    async resetDedupe(id, userId) {
      open();
      await sources.resetDedupe(id, userOr(userId));
    },
    async workflow(input, userId) {
      open();
      return workflows.register(input, userOr(userId));
    },
    findWorkflow: async (id, userId) => workflows.view(id, userOr(userId)),
    workflows: async (page, userId) => workflows.list(page, userOr(userId)),
    async deleteWorkflow(id, userId) {
      open();
      await workflows.delete(id, userOr(userId));
    },
    async invoke(id, input, userId) {
      open();
      return runNow(await workflows.ownEmitter(id, userOr(userId)), input ?? {}, { ...parts, timerEvent });
    },
    async request(key, request) {
      if (closed) return answers.statusAnswer(503, { retryAfterSeconds: 1 });
      return parts.answer(key, request);
    },
    storedEvents: async (id, stream, page, userId) => events.list(id, stream, page, userOr(userId)),
    async deleteEvents(id, stream, range, userId) {
      open();
      await events.delete(id, stream, range, userOr(userId));
    },
    events<Payload>(filter: EventsFilter = {}, userId?: string) {
      const resumption = parseResumption(filter);
      const heard = live.listen(filter, filter.everyUser ? undefined : userOr(userId));
      const found = resumption
        ? resumeEvents(resumption.after, filter, {
            live: heard,
            source: () => workflows.ownEmitter(resumption.sourceId, userOr(userId)),
            retention: limits.retention,
            read: (page) => events.list(resumption.sourceId, filter.stream ?? "emits", page, userOr(userId)),
          })
        : heard;
      return found as AsyncIterableIterator<LiveEvent<Payload>>;
    },
    async subscribe(input, userId) {
      open();
      return subscriptions.subscribe(input, userOr(userId));
    },
    async unsubscribe(input, userId) {
      open();
      await subscriptions.unsubscribe(input, userOr(userId));
    },
    subscriptions: async (userId) => subscriptions.list(userOr(userId)),
    async autoSubscribe(input, userId) {
      open();
      return subscriptions.autoSubscribe(input, userOr(userId));
    },
    async removeAutoSubscription(input, userId) {
      open();
      await subscriptions.removeAuto(input, userOr(userId));
    },
    autoSubscriptions: async (userId) => subscriptions.listAuto(userOr(userId)),
    async createWebhook(input, userId) {
      open();
      return webhooks.create(input, userOr(userId));
    },
    webhook: async (id, userId) => webhooks.view(id, userOr(userId)),
    webhooks: async (page, userId) => webhooks.list(page, userOr(userId)),
    async updateWebhook(id, change, userId) {
      open();
      return webhooks.update(id, change, userOr(userId));
    },
    async deleteWebhook(id, userId) {
      open();
      await webhooks.delete(id, userOr(userId));
    },
    async rotateWebhookKey(id, userId) {
      open();
      return webhooks.rotateKey(id, userOr(userId));
    },
    deliveries: async (webhookId, page, userId) => webhooks.deliveries(webhookId, page, userOr(userId)),
    async redeliver(webhookId, deliveryId, userId) {
      open();
      return webhooks.redeliver(webhookId, deliveryId, userOr(userId));
    },
    async createAccount(input, userId) {
      open();
      return accounts.create(input, userOr(userId));
    },
    accounts: async (page, { app } = {}, userId) => accounts.list(page, app, userOr(userId)),
    async updateAccount(id, change, userId) {
      open();
      return accounts.update(id, change, userOr(userId));
    },
    async deleteAccount(id, { force = false } = {}, userId) {
      open();
      await accounts.delete(id, force, userOr(userId));
    },
    idle: parts.idle,
  };
  return runtime;
}
