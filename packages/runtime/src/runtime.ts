import { abandonCrashers } from "./abandon.ts";
import type { Runtime } from "./api.ts";
import { systemClock } from "./clock.ts";
import { createBundler } from "./component/bundler.ts";
import { createComponentLoader } from "./component/load.ts";
import { presentProps } from "./component/present.ts";
import { propsRules } from "./component/props.ts";
import { freeSlug, slug } from "./component/slug.ts";
import { bundleFile, createStackMapper } from "./component/stack.ts";
import { createComponents } from "./components.ts";
import { buryDelivery } from "./dead-letters.ts";
import { createDeliveringStore } from "./delivery/delivering-store.ts";
import { loadListeners } from "./delivery/listeners.ts";
import { globs } from "./delivery/match.ts";
import { createOutbox } from "./delivery/outbox.ts";
import { parseSchedule } from "./delivery/retry.ts";
import { newSigningKey, rotateKey } from "./delivery/webhook.ts";
import { createDispatcher } from "./dispatcher.ts";
import { answerRequest } from "./endpoint.ts";
import { XError } from "./errors.ts";
import { runNow } from "./executions.ts";
import { compareEventIds } from "./ids.ts";
import { randomFraction } from "./ids.ts";
import { createInbox } from "./inbox.ts";
import { createLive } from "./live.ts";
import { createEgress } from "./network/egress.ts";
import { createPoster } from "./network/poster.ts";
import { resolveLimits, type RuntimeOptions, silentLogger } from "./options.ts";
import { createResidents } from "./residents.ts";
import { createPool } from "./sandbox/pool.ts";
import { createSources } from "./sources.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { laneDb, readDbEntries } from "./source-db.ts";
import { createSourceDb, externalDb as createExternalDb } from "./store/keyv.ts";
import type { Store } from "./store/contract.ts";
import { createMemoryStore } from "./store/memory.ts";
import { openSqliteStore } from "./store/sqlite.ts";
import { createTimers } from "./timers.ts";
import * as answers from "./trigger/answer.ts";
import { invalidCron } from "./trigger/cron.ts";
import { httpEvent } from "./trigger/http.ts";
import { createSchedule } from "./trigger/schedule.ts";
import { createTransitions } from "./transitions.ts";
import { nextTick, tickAfterUpdate, timerEvent } from "./trigger/timer.ts";
import { createUsers } from "./users.ts";
import { createWebhooks } from "./webhooks.ts";

const defaultPublicUrl = "http://127.0.0.1:7777";
const defaultDrainMs = 10_000;

/**
 * Builds a runtime: constructs the parts and connects them. Nothing fires before `start()`; no port is opened.
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
  const limits = resolveLimits(options.limits);
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? silentLogger;
  const publicUrl = options.publicUrl ?? defaultPublicUrl;
  const endpointUrl = (key: string): string => `${publicUrl}/in/${key}`;
  const egress = createEgress(options.network ?? {}, limits);
  const schedule = parseSchedule(options.deliverySchedule);
  const poster = createPoster(options.network ?? {}, limits);
  const props = propsRules({ checkCron: invalidCron });
  const listeners = await loadListeners(engine);
  const store = createDeliveringStore(engine, {
    listeners,
    clock,
    hopLimit: limits.deliveryHops,
    queued: (deliveries) => outbox.queued(deliveries),
    triggered: (triggers) => inbox.resume(triggers),
  });

  const users = await createUsers({ store, clock, apiKey: options.apiKey });
  // Before anything can be accepted: what is here now was left behind by a former process.
  let leftBehind = await store.recoverTriggers();
  const sandbox = await createPool({
    workers: options.workers,
    limits,
    now: clock === systemClock ? undefined : () => clock.now(),
  });
  const bundler = createBundler({
    timeoutMs: limits.bundleTimeoutMs,
    memoryBytes: limits.bundleMemoryBytes,
    codeBytes: limits.codeBytes,
  });
  const describeLimits = { timeoutMs: limits.describeTimeoutMs, memoryBytes: limits.memoryBytes };
  const loader = createComponentLoader({
    bundler,
    checkCron: invalidCron,
    describe: (bundle) => sandbox.describe(bundle, describeLimits),
  });

  const externalDb = options.keyv && createExternalDb(options.keyv);
  const residents = createResidents(store, externalDb);
  const dispatcher = createDispatcher();
  const live = createLive();
  const transitions = createTransitions();
  const mapStack = createStackMapper();
  const invokeParts = {
    sandbox,
    store,
    residents,
    externalDb,
    fetch: egress.fetch,
    order: { props, limits, accounts: options.accounts, endpointUrl },
    publish: live.publish,
    settleRules: () => ({
      now: clock.now(),
      limits,
      isHeard: ({ id, userId }: { id: string; userId: string }) =>
        // Auto-subscriptions become subscriptions of a new source in the commit of its hooks.
        listeners.candidates(id).length > 0 || listeners.autoSubscriptions(userId).length > 0,
      bundleFile,
      mapStack: (stack: string, { component, bundleHash }: { component: { sourceMap: string }; bundleHash: string }) =>
        mapStack(stack, { hash: bundleHash, sourceMap: component.sourceMap }),
    }),
  };
  const inbox = createInbox({ ...invokeParts, dispatcher, clock, limits, logger, transitions });
  const timers = createTimers({
    store,
    clock,
    logger,
    residents,
    dispatcher,
    inbox,
    rules: { nextTick, tickAfterUpdate, timerEvent, createSchedule },
  });
  const outbox = createOutbox({
    store,
    clock,
    logger,
    post: poster.post,
    random: randomFraction,
    schedule,
    sockets: limits.deliverySockets,
    webhook: listeners.webhook,
    deactivate: (id) => webhooks.deactivate(id),
    bury: (delivery, problem, changes) =>
      buryDelivery(delivery, problem, changes, {
        store,
        clock,
        logger,
        residents,
        dispatcher,
        limits,
        publish: live.publish,
      }),
  });
  const webhooks = createWebhooks({
    store,
    clock,
    outbox,
    rules: { newSigningKey, rotateKey, forbidden: poster.forbidden },
  });
  const subscriptions = createSubscriptions({ store, clock, listeners, globs });
  const components = createComponents({ store, loader, clock });
  const sources = createSources({
    ...invokeParts,
    clock,
    logger,
    dispatcher,
    components,
    transitions,
    busyWaitMs: limits.busyWaitMs,
    resume: inbox.resume,
    subscriptionsFor: subscriptions.forNew,
    rules: { props, slug, freeSlug, presentProps, endpointUrl },
    timerChange: timers.change,
    timerCommitted: timers.committed,
  });

  const dbParts = { store, externalDb, residents, dispatcher, limits };

  let closed: Promise<void> | undefined;
  const open = (): void => {
    if (closed) throw new XError("closed", []);
  };
  const userOr = (userId: string | undefined): string => userId ?? users.first.id;
  const idle = async (): Promise<void> => {
    do {
      await timers.idle();
      await dispatcher.idle();
      // What a delivery leads to may run.
    } while (await outbox.idle());
  };
  const close = async (drainMs: number): Promise<void> => {
    timers.close();
    const delivered = outbox.close(drainMs);
    const drained = Promise.withResolvers<void>();
    // A timer that is left would keep the process alive.
    const cancel = systemClock.wakeAt(systemClock.now() + drainMs, drained.resolve);
    await Promise.race([idle(), drained.promise]);
    cancel();
    await delivered;
    live.close();
    await sandbox.close();
    await Promise.all([loader.close(), egress.close(), poster.close()]);
    await store.close();
  };

  const runtime: Runtime = {
    limits,
    async start() {
      open();
      const triggers = leftBehind;
      leftBehind = [];
      inbox.resume(await abandonCrashers(triggers, store, clock.now()));
      await timers.start();
      await outbox.start();
    },
    close: ({ drainMs = defaultDrainMs } = {}) => (closed ??= close(drainMs)),
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
      return createSourceDb(laneDb(dbParts), id, () => clock.now());
    },
    async dbEntries(id, userId) {
      await sources.own(id, userOr(userId));
      return readDbEntries(id, dbParts);
    },
    async resetDedupe(id, userId) {
      open();
      await sources.resetDedupe(id, userOr(userId));
    },
    async invoke(id, input, userId) {
      open();
      return runNow(await sources.own(id, userOr(userId)), input ?? {}, { inbox, residents, clock, timerEvent });
    },
    async request(key, request) {
      if (closed) return answers.statusAnswer(503);
      return answerRequest(key, request, {
        store,
        residents,
        inbox,
        transitions,
        rules: { httpEvent, ...answers },
        bodyBytes: limits.httpBodyBytes,
      });
    },
    async storedEvents(id, stream, page, userId) {
      await sources.own(id, userOr(userId));
      return store.events(id, stream, { ...page, retention: limits.retention });
    },
    async deleteEvents(id, stream, range, userId) {
      open();
      await sources.own(id, userOr(userId));
      // The request is a snapshot: what is emitted after it stays (contract 3.5).
      const newest = (await store.events(id, stream, { limit: 1, retention: limits.retention })).items[0];
      if (!newest) return;
      const end = range.end && compareEventIds(range.end, newest.id) < 0 ? range.end : newest.id;
      await store.commit([{ op: "events.delete", emitterId: id, stream, range: { ...range, end } }]);
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
    idle,
  };
  return runtime;
}
