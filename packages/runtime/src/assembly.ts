import { abandonCrashers } from "./invocation/records/abandon.ts";
import { publishComponent, type PublishInput, type PublishedComponent } from "@x/components";
import { inWholeMs, systemClock, toLogger, type Dispatcher, type TriggerHead } from "@x/model";
import { createOverflows } from "./subscriptions/overflows.ts";
import { parseSchedule } from "./webhooks/retry.ts";
import type { Poster } from "./webhooks/contract.ts";
import { type AccountParts, assembleAccounts } from "./assembly/assemble-accounts.ts";
import { assembleComponents, type ComponentParts, type ComponentsBase } from "./assembly/assemble-components.ts";
import { assembleDeliveries, type Deliveries } from "./assembly/assemble-deliveries.ts";
import { assembleAppEvents, type AppEventsAssembly } from "./assembly/assemble-app-events.ts";
import { assembleInvocation, type Invocation } from "./assembly/assemble-invocation.ts";
import type { Observer, Tracing } from "./observe/contract.ts";
import { loadTracing } from "./observe/tracing.ts";
import { assembleObserver } from "./assembly/assemble-observer.ts";
import { assembleSources, type SourceParts } from "./assembly/assemble-sources.ts";
import { resumeRenewals } from "@x/accounts";
import { createEngine } from "./engine.ts";
import type { Backlog } from "./invocation/inbox/backlog.ts";
import { assembleRecords, type CommitReceivers } from "./assembly/assemble-records.ts";
import type { Node } from "./assembly/assemble-node.ts";
import { shareOverflows } from "./nodes/shared-overflows.ts";
import { shareLive } from "./nodes/later-events.ts";
import { createSharedActivity } from "./nodes/shared-activity.ts";
import { createSharedDb } from "./nodes/shared-db.ts";
import { laneDb } from "./sources/source-db.ts";
import type { LiveParts } from "./assembly/assemble-live.ts";
import type { Live } from "./events/live.ts";
import { createEgress, type Egress } from "./network/egress.ts";
import { createPoster } from "./network/poster.ts";
import { type Engine, type RuntimeOptions, runtimeLimits } from "./api/options.ts";
import { createWorkflowRegistry, withUnregisteredInactive } from "./workflows/workflow-registry.ts";
import { leaseSandbox, withHandlers } from "@x/sandbox";
import { createTexts, type Store } from "@x/store";
import type { RecentActivity, RuntimeStats } from "./api/observe-api.ts";
import type { Timers } from "./timers/timers.ts";
import type { Transitions } from "./invocation/lane/transitions.ts";
import type { Users } from "./users/users.ts";

const defaultListeningUrl = "http://127.0.0.1:7777";

/** The parts of one runtime, connected. */
export interface Assembly
  extends
    Pick<ComponentsBase, "limits" | "clock" | "store" | "texts">,
    Pick<ComponentParts, "components" | "registry">,
    Pick<Invocation, "sourceCache" | "externalDb" | "inbox" | "answer">,
    Pick<Deliveries, "webhooks" | "subscriptions">,
    Pick<AccountParts, "accounts" | "apps" | "connections">,
    Pick<AppEventsAssembly, "appEndpoints" | "requestLog">,
    SourceParts {
  readonly dispatcher: Dispatcher;
  readonly transitions: Transitions;
  readonly live: Live;
  readonly users: Users;
  publish(input: PublishInput): Promise<PublishedComponent>;
  readonly timers: Pick<Timers, "ticksOf">;
  readonly backlog: Pick<Backlog, "depth" | "depthOf">;
  /** The dbs of sources, for embedders. */
  readonly db: Pick<Store, "db" | "commit">;
  /** With several nodes on the store. */
  readonly node: Node | undefined;
  /** The URL of the endpoint with this key. */
  endpointUrl(key: string): string;
  /** Of the URLs of endpoints. */
  readonly endpointBase: string;
  /** Continues the work that a former process left, and starts timers and deliveries. */
  start(): Promise<void>;
  readonly tracing: Tracing | undefined;
  /** Names the work of the main thread that begins. */
  readonly working: Observer["working"];
  stats(): Promise<RuntimeStats>;
  recentActivity(userId: string): RecentActivity | Promise<RecentActivity>;
  idle(): Promise<void>;
  close(drainMs: number): Promise<void>;
}

interface LifecycleParts
  extends
    Pick<Assembly, "store" | "clock" | "dispatcher" | "registry" | "users">,
    Pick<ComponentsBase, "sandbox">,
    Pick<ComponentParts, "loaders">,
    Pick<Deliveries, "outbox"> {
  readonly closeLive: LiveParts["closeLive"];
  readonly invocation: Pick<Invocation, "inbox" | "timers" | "triggerEvents" | "invokeParts">;
  readonly node: Node | undefined;
  readonly poster: Poster;
  readonly egress: Egress;
  readonly connections: AccountParts["connections"];
  readonly renewals: AccountParts["renewals"];
  /** The engine, when the runtime made it. */
  readonly ownEngine: Engine | undefined;
  /** Triggers that a former process left. */
  readonly triggers: readonly TriggerHead[];
  /** Continues the changes of sources that a former process left. */
  recover(): void;
  /** Notices when the main thread is held. */
  watch(): () => void;
}

/** Constructs and connects the parts. Nothing runs before `start`. `close` closes the store too. */
export async function assemble(options: RuntimeOptions, opened: Store): Promise<Assembly> {
  const workflowRegistry = createWorkflowRegistry();
  const { isUnregistered } = workflowRegistry;
  const awake = withUnregisteredInactive(opened, workflowRegistry);
  const limits = runtimeLimits(options);
  const clock = inWholeMs(options.clock ?? systemClock);
  const logger = toLogger(options.logger);
  const publicUrl = (options.publicUrl ?? options.listeningUrl ?? defaultListeningUrl).replace(/(?<!\/)\/+$/, "");
  const endpointUrl = (key: string): string => `${publicUrl}/in/${key}`;
  const egress = createEgress(options.network ?? {}, limits);
  const schedule = parseSchedule(options.deliverySchedule);
  const poster = createPoster(options.network ?? {}, limits);
  const receivers = (): CommitReceivers => ({ inbox, outbox, overflowed });
  const records = await assembleRecords({ options, limits, clock, logger, opened: awake, schedule }, receivers);
  const { store, node, backlog, users, live } = records;
  const connected = assembleAccounts({ options, store, clock, logger, egress, publicUrl, node, endpointUrl });
  const engine = options.engine ?? (await createEngine({ workers: options.workers, limits: options.limits }));
  const pool = leaseSandbox(engine.sandbox, clock === systemClock ? undefined : clock);
  const sandbox = withHandlers(pool, { find: workflowRegistry.handler, rules: limits, now: () => clock.now(), logger });
  const texts = createTexts(store);
  const tracing = await loadTracing(logger);
  const given = { options, limits, clock, logger, store, sandbox, tracing, endpointUrl, endpointBase: publicUrl };
  const { observer, watch, ...counted } = assembleObserver({ ...given, backlog });
  const parts = { ...given, ...records, ...connected, texts, engine, observer, watch };
  const { loaders, components, registry } = assembleComponents(parts);
  const { props } = engine;
  const appEvents = assembleAppEvents({
    ...parts,
    egress,
    loader: loaders.component,
    overflowed: (overflows) => overflowed(overflows),
  });
  const invocation = assembleInvocation({ ...parts, ...appEvents, props, egress, publicUrl, isUnregistered });
  const { inbox, sourceCache, lanes, externalDb } = invocation;
  const { dispatcher } = lanes;
  const ownDb = laneDb({ store, externalDb, sourceCache, dispatcher, limits });
  const recordParts = { store, clock, logger, sourceCache, dispatcher, limits, publish: live.publish };
  const ownOverflowed = createOverflows(recordParts);
  const overflowed = node ? shareOverflows(ownOverflowed, node.router, logger) : ownOverflowed;
  const deliveries = assembleDeliveries({ ...parts, poster, schedule, recordParts, sourceCache });
  const { outbox } = deliveries;
  const found = { components, loader: loaders.workflow, props, workflowRegistry };
  const made = assembleSources({ ...parts, ...appEvents, ...found, invocation, deliveries });

  const lifecycle = createLifecycle({
    ...parts,
    dispatcher,
    invocation,
    registry,
    loaders,
    poster,
    egress,
    outbox,
    recover: () => made.sources.recovery.start(),
    ownEngine: options.engine ? undefined : engine,
  });
  const { recovery } = made.sources;
  const late = { ...parts, ...invocation, dispatcher, outbox, recovery };
  node?.connect({ ...late, retention: limits.retention, depth: backlog.depth, sandbox });

  return {
    limits,
    clock,
    store,
    ...invocation,
    dispatcher,
    transitions: lanes.transitions,
    live: node ? shareLive(live, { heldSlots: node.heldSlots, store }) : live,
    users,
    ...connected,
    ...appEvents,
    components,
    texts,
    registry,
    publish: (input) => publishComponent(input, options.registry, loaders.component),
    ...made,
    ...deliveries,
    backlog,
    db: node ? createSharedDb(ownDb, node.router) : ownDb,
    node,
    endpointUrl,
    endpointBase: publicUrl,
    tracing,
    working: observer.working,
    ...counted,
    ...(node && { recentActivity: createSharedActivity(counted.recentActivity, node) }),
    ...lifecycle,
  };
}

/** Starts, waits for and closes the parts in the order that they need. */
function createLifecycle(parts: LifecycleParts): Pick<Assembly, "start" | "idle" | "close"> {
  const { store, clock, sandbox, dispatcher, recover, registry, loaders, poster, egress, outbox } = parts;
  const { inbox, timers, triggerEvents, invokeParts } = parts.invocation;
  let { triggers } = parts;
  let endWatch = (): void => undefined;

  async function start(): Promise<void> {
    endWatch();
    endWatch = parts.watch();
    sandbox.warm();
    void resumeRenewals(
      parts.users.list().map(({ id }) => id),
      parts,
    );
    if (parts.node) return parts.node.ready();
    const given = triggers;
    triggers = [];
    const abandonParts = { store, triggerEvents, recorder: invokeParts.recorder, now: clock.now() };
    const resumed = await abandonCrashers(given, abandonParts, inbox.delaySource).catch((error: unknown) => {
      triggers = given;
      throw error;
    });
    // Before any run: the interrupted hook of a source runs first in its lane.
    recover();
    inbox.resume(resumed);
    await timers.start();
    await outbox.start();
  }

  async function idle(): Promise<void> {
    await (everywhere ?? here)();
  }

  /** Resolves with true when it had to wait. */
  async function here(): Promise<boolean> {
    for (let waited = false; ; waited = true) {
      await timers.idle();
      const ran = await dispatcher.idle();
      // A delivery may cause another run.
      const sent = await outbox.idle();
      if (!ran && !sent) return waited;
    }
  }
  const everywhere = parts.node?.idle(here);

  async function close(drainMs: number): Promise<void> {
    const until = systemClock.now() + drainMs;
    // While it hands its sources over, they run on.
    const handedOver = parts.node && (await within(drainMs, parts.node.leave()));
    timers.close();
    inbox.close();
    parts.connections.close();
    const leftMs = Math.max(0, until - systemClock.now());
    await Promise.all([outbox.close(leftMs), handedOver === true ? undefined : within(leftMs, here())]);
    parts.closeLive();
    // Its reads under way need the loaders: they end when the loaders close.
    const registryClosed = registry.close();
    registryClosed.catch(() => undefined);
    await sandbox.close();
    await parts.ownEngine?.close();
    // A server may already have replaced the refresh token: what it answers is stored.
    await parts.renewals.idle();
    await Promise.all([egress.close(), loaders.close(), poster.close(), registryClosed]);
    await store.close();
    endWatch();
  }

  return { start, idle, close };
}

/** Waits at most this long; resolves with true when the work has ended. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  // A pending timer would keep the process alive.
  const cancel = systemClock.wakeAt(systemClock.now() + ms, () => late.resolve(false));
  const ended = work.then(
    () => true,
    () => false,
  );
  const isEnded = await Promise.race([ended, late.promise]);
  cancel();
  return isEnded;
}
