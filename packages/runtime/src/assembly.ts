import { abandonCrashers } from "./abandon.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createBundler } from "./component/bundler.ts";
import { createComponentLoader } from "./component/load.ts";
import { presentProps } from "./component/present.ts";
import { propsRules } from "./component/props.ts";
import { freeSlug, slug } from "./component/slug.ts";
import { bundleFile, createStackMapper } from "./component/stack.ts";
import { type Components, createComponents } from "./components.ts";
import { buryDelivery } from "./dead-letters.ts";
import { createDeliveringStore } from "./delivery/delivering-store.ts";
import { loadListeners } from "./delivery/listeners.ts";
import { globs } from "./delivery/match.ts";
import { createOutbox } from "./delivery/outbox.ts";
import { parseSchedule } from "./delivery/retry.ts";
import { newSigningKey, rotateKey } from "./delivery/webhook.ts";
import { createDispatcher, type Dispatcher } from "./dispatcher.ts";
import { randomFraction } from "./ids.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { createLive, type Live } from "./live.ts";
import { createEgress } from "./network/egress.ts";
import { createPoster } from "./network/poster.ts";
import { type Limits, resolveLimits, type RuntimeOptions, silentLogger } from "./options.ts";
import { createResidents, type ExternalDb, type Residents } from "./residents.ts";
import { createPool } from "./sandbox/pool.ts";
import { createEvents, type Events } from "./stored-events.ts";
import { createSources, type Sources } from "./sources.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";
import { externalDb as createExternalDb } from "./store/keyv.ts";
import type { Store } from "./store/contract.ts";
import { createTimers } from "./timers.ts";
import { invalidCron } from "./trigger/cron.ts";
import { createSchedule } from "./trigger/schedule.ts";
import { createTransitions, type Transitions } from "./transitions.ts";
import { nextTick, tickAfterUpdate, timerEvent } from "./trigger/timer.ts";
import { createUsers, type Users } from "./users.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

const defaultPublicUrl = "http://127.0.0.1:7777";

/** The parts of one runtime, connected. */
export interface Assembly {
  readonly limits: Limits;
  readonly clock: Clock;
  readonly store: Store;
  readonly externalDb: ExternalDb | undefined;
  readonly residents: Residents;
  readonly dispatcher: Dispatcher;
  readonly transitions: Transitions;
  readonly inbox: Inbox;
  readonly live: Live;
  readonly users: Users;
  readonly components: Components;
  readonly sources: Sources;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly subscriptions: Subscriptions;
  /** Takes up what a former process left, and lets timers and deliveries fire. */
  start(): Promise<void>;
  idle(): Promise<void>;
  close(drainMs: number): Promise<void>;
}

/** Constructs the parts and connects them; nothing fires before `start`. Closing closes the store too. */
export async function assemble(options: RuntimeOptions, engine: Store): Promise<Assembly> {
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

  const events = createEvents({ store, limits, own: sources.own });

  const start = async (): Promise<void> => {
    const triggers = leftBehind;
    leftBehind = [];
    inbox.resume(await abandonCrashers(triggers, store, clock.now()));
    await timers.start();
    await outbox.start();
  };
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

  return {
    limits,
    clock,
    store,
    externalDb,
    residents,
    dispatcher,
    transitions,
    inbox,
    live,
    users,
    components,
    sources,
    webhooks,
    subscriptions,
    events,
    start,
    idle,
    close,
  };
}
