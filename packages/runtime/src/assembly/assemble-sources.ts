import type { Accounts } from "@x/accounts";
import type { ComponentsBase } from "./assemble-components.ts";
import type { Components, PropsRules, WorkflowLoader } from "@x/components";
import { createEvents, type Events } from "../events/stored-events.ts";
import { createExecutions, type Executions } from "../executions/stored-executions.ts";
import { createUserQueues } from "../invocation/lane/user-queue.ts";
import { createDataStores, type DataStores } from "../data-stores/data-stores.ts";
import { createProjects, type Projects } from "../projects/projects.ts";
import type { CallbackAccounts } from "../app-events/callback-accounts.ts";
import type { AppEndpoints } from "../app-events/app-endpoints.ts";
import { createAppHooks } from "../sources/app-hooks.ts";
import { type Configure, createConfigure } from "../sources/configure.ts";
import { createDynamicProps } from "../sources/dynamic-props.ts";
import { createDynamicPropsCache } from "../sources/dynamic-props-cache.ts";
import { createDeploy, type Deploy } from "../sources/deploy-by-name.ts";
import { createReservations } from "../sources/reservations.ts";
import { createSources, type Sources } from "../sources/sources.ts";
import type { StoredTransition } from "@x/store";
import type { WorkflowRegistry } from "../workflows/workflow-registry.ts";
import { createWorkflows, type Workflows } from "../workflows/workflows.ts";
import { shareDynamicProps } from "../nodes/shared-dynamic-props.ts";
import { shareReservations, shareSources } from "../nodes/shared-sources.ts";
import { shareWorkflows } from "../nodes/shared-workflows.ts";
import { type Holding, newId } from "@x/model";
import type { Deliveries } from "./assemble-deliveries.ts";
import type { Node } from "./assemble-node.ts";
import type { Invocation } from "./assemble-invocation.ts";
import type { LiveParts } from "./assemble-live.ts";

/** Calls of `options` and `additionalProps` per user: they share the threads with the runs of all sources. */
const questions = { atOnce: 4, waiting: 1_000 };

export interface SourcesBase
  extends Pick<ComponentsBase, "limits" | "store" | "texts">, Pick<LiveParts, "liveExecutions" | "commitTimes"> {
  readonly accounts: Accounts;
  readonly components: Components;
  readonly loader: WorkflowLoader;
  readonly props: PropsRules;
  readonly workflowRegistry: WorkflowRegistry;
  readonly invocation: Invocation;
  readonly deliveries: Deliveries;
  /** Changes that a former process did not finish. */
  readonly left: readonly StoredTransition[];
  readonly holding: Holding;
  readonly node: Node | undefined;
  readonly appEndpoints: Pick<AppEndpoints, "arrivalOf">;
  readonly identities: CallbackAccounts | undefined;
  endpointUrl(key: string): string;
  /** Of the URLs of endpoints. */
  readonly endpointBase: string;
}

/** Sources and workflows, their configuration and their events. */
export interface SourceParts {
  readonly sources: Sources;
  readonly deploy: Deploy;
  readonly configure: Configure;
  readonly workflows: Workflows;
  readonly events: Events;
  readonly executions: Executions;
  readonly projects: Projects;
  readonly dataStores: DataStores;
}

export function assembleSources(base: SourcesBase): SourceParts {
  const {
    limits,
    store,
    texts,
    accounts,
    components,
    loader,
    props,
    workflowRegistry,
    left,
    endpointUrl,
    endpointBase,
  } = base;
  const { holding, node } = base;
  const { invokeParts, lanes, sourceCache, externalDb, endpointSources, inbox, timers } = base.invocation;
  const { dispatcher, clock } = lanes;
  const { subscriptions, planWebhook } = base.deliveries;
  const cache = node
    ? shareDynamicProps(
        createDynamicPropsCache(() => node.heldSlots.drawNow(() => newId("dyp"))),
        node.router,
      )
    : createDynamicPropsCache();
  const askParts = {
    ...invokeParts,
    accounts,
    clock,
    queues: createUserQueues(questions),
    cache,
    props,
  };
  const dynamicProps = createDynamicProps(askParts);
  const appHooks = createAppHooks({ askParts, arrivalOf: base.appEndpoints.arrivalOf, identities: base.identities });
  const ownReservations = createReservations(store);
  const reservations = node ? shareReservations(ownReservations, node) : ownReservations;
  const { names } = reservations;
  const ownSources = createSources({
    ...reservations,
    ...invokeParts,
    ...lanes,
    left,
    holding,
    components,
    accounts,
    planWebhook,
    dynamicProps,
    appHooks,
    busyWaitMs: limits.busyWaitMs,
    resume: inbox.resume,
    release: inbox.release,
    subscriptionsFor: subscriptions.forNew,
    props,
    endpointUrl,
    endpointBase,
    timerChange: timers.change,
    timerCommitted: timers.committed,
    endpointSources,
  });
  const sources = node ? shareSources(ownSources, { router: node.router, components, names }) : ownSources;
  const deploy = createDeploy({ ...sources, store, components, planWebhook, names });
  const configure = createConfigure({ ...askParts, components, sources, dynamicProps });
  const registry = workflowRegistry;
  const ownWorkflows = createWorkflows({
    store,
    texts,
    clock,
    registry,
    loader,
    components,
    accounts,
    sourceCache,
    externalDb,
    dispatcher,
    inbox,
    timers,
    subscriptions,
    observer: base.invocation.invokeParts.observer,
    endpointUrl,
  });
  const workflows = node ? shareWorkflows(ownWorkflows, { router: node.router, registry }) : ownWorkflows;
  const own = workflows.ownEmitter;
  const events = createEvents({ store, limits, own });
  const { liveExecutions: live, commitTimes } = base;
  const executions = createExecutions({ store, limits, live, commitTimes, own });
  const projects = createProjects({ store, clock });
  const dataStores = createDataStores({ store, clock, limits });
  return { sources, deploy, configure, workflows, events, executions, projects, dataStores };
}
