import type { Runtime } from "./api.ts";
import { assemble } from "./assembly.ts";
import { answerRequest } from "./endpoint.ts";
import { XError } from "./errors.ts";
import { runNow } from "./executions.ts";
import { resolveLimits, type RuntimeOptions } from "./options.ts";
import { laneDb, readDbEntries } from "./source-db.ts";
import type { Store } from "./store/contract.ts";
import { createSourceDb } from "./store/keyv.ts";
import { createMemoryStore } from "./store/memory.ts";
import { openSqliteStore } from "./store/sqlite.ts";
import * as answers from "./trigger/answer.ts";
import { httpEvent } from "./trigger/http.ts";
import { timerEvent } from "./trigger/timer.ts";

const defaultDrainMs = 10_000;

/**
 * Builds a runtime. Nothing fires before `start()`; no port is opened.
 * Rejects with `invalid_options`, or with `store_locked`, `store_corrupt`, `store_version`, `store_failed`.
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  resolveLimits(options.limits);
  const store = options.data === undefined ? createMemoryStore() : await openSqliteStore({ folder: options.data });
  try {
    return await assembleRuntime(options, store);
  } catch (error) {
    // Or the folder would stay locked.
    await store.close().catch(() => undefined);
    throw error;
  }
}

/** Internal: the runtime over a store that is open already; closing the runtime closes it. */
export async function assembleRuntime(options: RuntimeOptions, engine: Store): Promise<Runtime> {
  const parts = await assemble(options, engine);
  const { limits, clock, store, users, components, sources, events, live, webhooks, subscriptions } = parts;

  let closed: Promise<void> | undefined;
  const open = (): void => {
    if (closed) throw new XError("closed", []);
  };
  const userOr = (userId: string | undefined): string => userId ?? users.first.id;

  const runtime: Runtime = {
    limits,
    async start() {
      open();
      await parts.start();
    },
    close: ({ drainMs = defaultDrainMs } = {}) => (closed ??= parts.close(drainMs)),
    [Symbol.asyncDispose]: () => runtime.close(),
    authenticate: (apiKey) => Promise.resolve(users.authenticate(apiKey)),
    user: async (userId) => users.view(userOr(userId)),
    async saveComponent(input, userId) {
      open();
      return components.save(input, userOr(userId));
    },
    component: async (idOrKey, userId) => components.find(idOrKey, userOr(userId)),
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
      const { totalCount, items } = await store.sources(userOr(userId), page);
      return { totalCount, items: await Promise.all(items.map((source) => sources.view(source))) };
    },
    async db(id, userId) {
      open();
      await sources.own(id, userOr(userId));
      return createSourceDb(laneDb(parts), id, () => clock.now());
    },
    async dbEntries(id, userId) {
      await sources.own(id, userOr(userId));
      return readDbEntries(id, parts);
    },
    async resetDedupe(id, userId) {
      open();
      await sources.resetDedupe(id, userOr(userId));
    },
    async invoke(id, input, userId) {
      open();
      return runNow(await sources.own(id, userOr(userId)), input ?? {}, { ...parts, timerEvent });
    },
    async request(key, request) {
      if (closed) return answers.statusAnswer(503);
      return answerRequest(key, request, {
        ...parts,
        rules: { httpEvent, ...answers },
        bodyBytes: limits.httpBodyBytes,
      });
    },
    storedEvents: async (id, stream, page, userId) => events.list(id, stream, page, userOr(userId)),
    async deleteEvents(id, stream, range, userId) {
      open();
      await events.delete(id, stream, range, userOr(userId));
    },
    events: (filter = {}) => live.listen(filter),
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
    idle: parts.idle,
  };
  return runtime;
}
