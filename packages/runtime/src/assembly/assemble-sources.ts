import type { Accounts } from "../accounts/accounts.ts";
import type { ComponentsBase } from "./assemble-components.ts";
import type { Components } from "../components/components.ts";
import type { PropsRules, WorkflowLoader } from "../components/contract.ts";
import { createEvents, type Events } from "../events/stored-events.ts";
import { createExecutions, type Executions } from "../executions/stored-executions.ts";
import { createTurns } from "../invocation/lane/turns.ts";
import { createProjects, type Projects } from "../projects/projects.ts";
import { type Configure, createConfigure } from "../sources/configure.ts";
import { createDynamicProps } from "../sources/dynamic-props.ts";
import { createDynamicPropsCache, type SharedDynamicProps } from "../sources/dynamic-props-cache.ts";
import { createSources, type Sources } from "../sources/sources.ts";
import type { StoredTransition } from "../store/contract.ts";
import type { WorkflowRegistry } from "../workflows/workflow-registry.ts";
import { createWorkflows, type Workflows } from "../workflows/workflows.ts";
import { createSharedRegistrations } from "../nodes/shared-registrations.ts";
import { createSharedSources } from "../nodes/shared-sources.ts";
import type { Holding } from "../process/holding.ts";
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
  endpointUrl(key: string): string;
}

/** Sources and workflows, their configuration and their events. */
export interface SourceParts {
  readonly sources: Sources;
  readonly configure: Configure;
  readonly workflows: Workflows;
  readonly events: Events;
  readonly executions: Executions;
  readonly projects: Projects;
}

const dynamicPropsMethod = "dynamicProps.find";

const sharedDynamicProps = ({ router, territory }: Node): SharedDynamicProps => ({
  drawId: territory.drawNow,
  find: (id, userId) => router.call({ to: id, method: dynamicPropsMethod, args: [id, userId] }, async () => undefined),
});

export function assembleSources(base: SourcesBase): SourceParts {
  const { limits, store, texts, accounts, components, loader, props, workflowRegistry, left, endpointUrl } = base;
  const { holding, node } = base;
  const { invokeParts, lanes, sourceCache, externalDb, endpointSources, inbox, timers } = base.invocation;
  const { dispatcher, clock } = lanes;
  const { subscriptions, planWebhook } = base.deliveries;
  const cache = createDynamicPropsCache(node && sharedDynamicProps(node));
  node?.router.answer(dynamicPropsMethod, async ({ args: [id, userId] }) =>
    cache.entry(id as string, userId as string),
  );
  const askParts = {
    ...invokeParts,
    accounts,
    clock,
    turns: createTurns(questions),
    cache,
    props,
  };
  const dynamicProps = createDynamicProps(askParts);
  const sources = createSources({
    ...invokeParts,
    ...lanes,
    left,
    holding,
    sharing: node && createSharedSources(node.router, node.territory, node.ready),
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
    endpointSources,
  });
  const configure = createConfigure({ ...askParts, components, sources, dynamicProps });
  const workflows = createWorkflows({
    store,
    texts,
    clock,
    registry: workflowRegistry,
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
    share: node && createSharedRegistrations(node.router),
    endpointUrl,
  });
  const own = workflows.ownEmitter;
  const events = createEvents({ store, limits, own });
  const { liveExecutions: live, commitTimes } = base;
  const executions = createExecutions({ store, limits, live, commitTimes, own });
  const projects = createProjects({ store, clock });
  return { sources, configure, workflows, events, executions, projects };
}
