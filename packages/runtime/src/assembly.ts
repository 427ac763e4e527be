import { abandonCrashers } from "./invocation/records/abandon.ts";
import { createSecretMasks } from "./invocation/secrets/secret-mask.ts";
import type { EndpointRequest, EndpointResponse, PublishedComponent, PublishInput } from "./api/api.ts";
import { type Accounts, createAccounts } from "./accounts/accounts.ts";
import { type Clock, inWholeMs, systemClock } from "./process/clock.ts";
import { createAuthorSources } from "./components/author/author-source.ts";
import { type Components, createComponents } from "./components/components.ts";
import { type Configure, createConfigure } from "./sources/configure.ts";
import { createOverflows } from "./subscriptions/overflows.ts";
import { buryDelivery } from "./webhooks/dead-letters.ts";
import { createDeliveringStore } from "./subscriptions/delivering-store.ts";
import { loadListeners } from "./subscriptions/listeners.ts";
import { createOutbox } from "./webhooks/outbox.ts";
import { parseSchedule } from "./webhooks/retry.ts";
import { createDispatcher, type Dispatcher } from "./process/dispatcher.ts";
import { createEngine } from "./engine.ts";
import { createDormantStore } from "./workflows/dormant-store.ts";
import { createDynamicProps } from "./sources/dynamic-props.ts";
import { randomFraction } from "./process/ids.ts";
import { createBacklog } from "./invocation/inbox/backlog.ts";
import { createKeptEvents } from "./invocation/inbox/kept-events.ts";
import { createReadTrigger } from "./invocation/inbox/read-trigger.ts";
import { joinBody } from "./http/http.ts";
import { createInbox, type Inbox } from "./invocation/inbox/inbox.ts";
import { createKeptProps } from "./sources/kept-props.ts";
import { createLive, type Live } from "./events/live.ts";
import { createLoaders } from "./loaders.ts";
import { neededPackages } from "./packages/needed-packages.ts";
import { createEgress } from "./network/egress.ts";
import { createPoster } from "./network/poster.ts";
import { seemingKey } from "./components/props/declared-key.ts";
import { type Limits, type RuntimeOptions, runtimeLimits, silentLogger } from "./api/options.ts";
import { createResidents, type ExternalDb, type Residents } from "./invocation/lane/residents.ts";
import { createRoster } from "./workflows/roster.ts";
import { withHandlers } from "./sandbox/handlers.ts";
import { leaseSandbox } from "./sandbox/lease.ts";
import { guardedObserver } from "./guarded-observer.ts";
import { createEvents, type Events } from "./events/stored-events.ts";
import { createSources, type Sources } from "./sources/sources.ts";
import { createSourceWebhooks } from "./webhooks/source-webhook.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions/subscriptions.ts";
import { externalDb as createExternalDb } from "./store/keyv.ts";
import type { Registry } from "./registry/contract.ts";
import { checkRegistry, createRegistry, publishComponent } from "./registry/registry.ts";
import type { Store } from "./store/contract.ts";
import { createTexts, type Texts } from "./store/texts.ts";
import type { Caller } from "./invocation/caller.ts";
import { answerRequest, type CallFromInside } from "./http/endpoint.ts";
import { createOwnEndpoints } from "./http/own-endpoints.ts";
import type { CallHost } from "./sandbox/contract.ts";
import { createTimers, type Timers } from "./timers/timers.ts";
import { createTransitions, type Transitions } from "./invocation/lane/transitions.ts";
import { createTurns } from "./invocation/lane/turns.ts";
import { createUsers, type Users } from "./users/users.ts";
import { createWebhooks, type Webhooks } from "./webhooks/webhooks.ts";
import { createWorkflows, type Workflows } from "./workflows/workflows.ts";

/** Questions of one user that run at once, and that wait: they share the threads with the runs of all sources. */
const questions = { atOnce: 4, waiting: 1_000 };
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
  /** A request to an endpoint. */
  answer(key: string, request: EndpointRequest): Promise<EndpointResponse>;
  readonly live: Live;
  readonly users: Users;
  readonly accounts: Accounts;
  readonly components: Components;
  readonly texts: Texts;
  readonly registry: Registry;
  publish(input: PublishInput): Promise<PublishedComponent>;
  readonly configure: Configure;
  readonly sources: Sources;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly subscriptions: Subscriptions;
  readonly workflows: Workflows;
  readonly timers: Pick<Timers, "nextOf">;
  /** The URL of an endpoint by its key. */
  endpointUrl(key: string): string;
  /** Takes up what a former process left, and lets timers and deliveries fire. */
  start(): Promise<void>;
  idle(): Promise<void>;
  close(drainMs: number): Promise<void>;
}

/** Constructs the parts and connects them; nothing fires before `start`. Closing closes the store too. */
export async function assemble(options: RuntimeOptions, opened: Store): Promise<Assembly> {
  const roster = createRoster();
  const { isDormant } = roster;
  const awake = createDormantStore(opened, isDormant);
  const limits = runtimeLimits(options);
  checkRegistry(options.registry);
  const clock = inWholeMs(options.clock ?? systemClock);
  const logger = options.logger ?? silentLogger;
  const publicUrl = (options.publicUrl ?? defaultPublicUrl).replace(/\/+$/, "");
  const endpointUrl = (key: string): string => `${publicUrl}/in/${key}`;
  const egress = createEgress(options.network ?? {}, limits);
  const schedule = parseSchedule(options.deliverySchedule);
  const poster = createPoster(options.network ?? {}, limits);
  const listeners = await loadListeners(awake);
  const backlog = createBacklog(limits);
  const store = createDeliveringStore(awake, {
    listeners,
    clock,
    hopLimit: limits.deliveryHops,
    queued: (deliveries) => outbox.queued(deliveries),
    backlog,
    triggered: (triggers) => inbox.resume(triggers),
    overflowed: (overflows) => overflowed(overflows),
  });

  // Before the users: a key that is given at start ends the one before.
  const live = createLive((apiKey) => users.authenticate(apiKey) !== undefined);
  const users = await createUsers({ store, clock, apiKey: options.apiKey, revoked: live.revoke });
  const accounts = createAccounts({
    store,
    clock,
    callback: options.accounts,
    logger,
    missingAccounts: options.missingAccounts,
  });
  // Before anything can be accepted: what is here now was left behind by a former process.
  let leftBehind = await store.recoverTriggers();
  const left = await store.recoverTransitions();
  const engine = options.engine ?? (await createEngine({ workers: options.workers, limits: options.limits }));
  const pool = leaseSandbox(engine.sandbox, clock === systemClock ? undefined : clock);
  const sandbox = withHandlers(pool, { find: roster.handler, rules: limits, now: () => clock.now(), logger });
  const { props } = engine;
  const needed = (): Promise<ReadonlySet<string>> => neededPackages({ store, registry });
  const loaders = createLoaders({ options, limits, logger, engine, sandbox, needed });

  const externalDb = options.keyv && createExternalDb(options.keyv);
  const residents = createResidents(store, externalDb);
  const texts = createTexts(store);
  const dispatcher = createDispatcher();
  const transitions = createTransitions();
  const laneParts = { dispatcher, suspects: createDispatcher(), transitions, clock, logger };
  const kept = createKeptEvents();
  const read = createReadTrigger({ store, kept, joinBody });
  const authorSources = createAuthorSources();
  const masks = createSecretMasks();
  const invokeParts = {
    sandbox,
    store,
    residents,
    externalDb,
    fetchFor:
      (caller: Caller): CallHost["fetch"] =>
      (request, signal, hold) =>
        egress.fetch(request, signal, { inside: ownEndpoints.answerFor(caller), hold, sender: caller }),
    observe: options.observe && guardedObserver(options.observe, logger, endpointUrl),
    order: { props, limits, credentials: accounts.credentials, endpointUrl, text: texts.get },
    publish: live.publish,
    settleRules: () => ({
      now: clock.now(),
      masks,
      limits,
      transactional: options.transactional ?? false,
      isHeard: ({ id, userId }: { id: string; userId: string }) =>
        // Auto-subscriptions become subscriptions of a new source in the commit of its hooks.
        listeners.candidates(id).length > 0 || listeners.autoSubscriptions(userId).length > 0,
      sources: authorSources,
    }),
  };
  const inbox = createInbox({
    ...invokeParts,
    ...laneParts,
    limits,
    backlog,
    kept,
    read,
    isDormant,
  });
  const recordParts = { store, clock, logger, residents, dispatcher, limits, publish: live.publish };
  const overflowed = createOverflows(recordParts);
  const answer = (key: string, request: EndpointRequest, inside?: CallFromInside): Promise<EndpointResponse> =>
    answerRequest(key, request, { store, residents, inbox, transitions, bodyBytes: limits.httpBodyBytes }, inside);
  const ownEndpoints = createOwnEndpoints({ publicUrl, mostHops: limits.deliveryHops, answer });
  const timers = createTimers({
    store,
    clock,
    logger,
    residents,
    dispatcher,
    inbox,
    backlog,
    isDormant,
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
    bury: (delivery, problem, changes) => buryDelivery(delivery, problem, changes, recordParts),
  });
  const webhooks = createWebhooks({
    store,
    clock,
    outbox,
    forbidden: poster.forbidden,
  });
  const planWebhook = createSourceWebhooks({ clock, listeners, forbidden: poster.forbidden });
  const subscriptions = createSubscriptions({ store, clock, listeners });
  const components = createComponents({
    store,
    texts,
    loader: loaders.component,
    sharedLoader: loaders.shared,
    seemingKey,
    clock,
    sharedId: (key) => registry.find(key),
  });
  const registry = createRegistry(options.registry, {
    store,
    save: components.saveShared,
    renew: loaders.renew,
    seemingKey,
    retryMs: limits.packageRetryMs,
    logger,
  });
  const askParts = {
    ...invokeParts,
    accounts,
    clock,
    turns: createTurns(questions),
    kept: createKeptProps(),
    props,
  };
  const dynamicProps = createDynamicProps(askParts);
  const sources = createSources({
    ...invokeParts,
    ...laneParts,
    left,
    components,
    accounts,
    planWebhook,
    dynamicProps,
    busyWaitMs: limits.busyWaitMs,
    resume: inbox.resume,
    release: inbox.release,
    subscriptionsFor: subscriptions.forNew,
    props,
    endpointUrl,
    timerChange: timers.change,
    timerCommitted: timers.committed,
  });

  const configure = createConfigure({
    ...askParts,
    components,
    sources,
    dynamicProps,
  });
  const workflows = createWorkflows({
    store,
    texts,
    clock,
    roster,
    loader: loaders.workflow,
    components,
    accounts,
    residents,
    externalDb,
    dispatcher,
    inbox,
    timers,
    subscriptions,
    endpointUrl,
  });
  const events = createEvents({ store, limits, own: workflows.ownEmitter });

  const start = async (): Promise<void> => {
    sandbox.warm();
    const triggers = leftBehind;
    leftBehind = [];
    const resumed = await abandonCrashers(triggers, { store, read, now: clock.now() }, inbox.mistrust).catch(
      (error: unknown) => {
        leftBehind = triggers;
        throw error;
      },
    );
    // Before anything runs: a hook that was cut off comes first in its lane.
    sources.recover();
    inbox.resume(resumed);
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
    inbox.close();
    const delivered = outbox.close(drainMs);
    const drained = Promise.withResolvers<void>();
    // A timer that is left would keep the process alive.
    const cancel = systemClock.wakeAt(systemClock.now() + drainMs, drained.resolve);
    await Promise.race([idle(), drained.promise]);
    cancel();
    await delivered;
    live.close();
    // What it still reads ends with what reads it.
    const unregistered = registry.close();
    await sandbox.close();
    if (!options.engine) await engine.close();
    await Promise.all([egress.close(), loaders.close(), poster.close(), unregistered]);
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
    answer,
    live,
    users,
    accounts,
    components,
    texts,
    registry,
    publish: (input) => publishComponent(input, options.registry, loaders.component),
    configure,
    sources,
    webhooks,
    subscriptions,
    workflows,
    timers,
    endpointUrl,
    events,
    start,
    idle,
    close,
  };
}
