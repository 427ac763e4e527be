import { listServices } from "@x/accounts";
import type { SavedComponent } from "./api/api.ts";
import type { Assembly } from "./assembly.ts";
import type { EventsFilter, LiveEvent } from "./api/events-api.ts";
import { parseResumption, resumeEvents } from "./events/resumed-events.ts";
import { readEventPage, readEventRange, shownEvent, shownEvents } from "./events/shown-events.ts";
import { executionTest } from "./executions/execution-test.ts";
import { replayTrigger } from "./executions/replay-execution.ts";
import { resultOf, runNow } from "./sources/run-now.ts";
import { withScheduleWarnings, type Component, type Page, type Rules } from "@x/model";
import { readActivity } from "./sources/source-activity.ts";
import { readDbEntries } from "./sources/source-db.ts";
import { shownSource } from "./sources/source-record.ts";
import { createSourceDb, type Change } from "@x/store";
import { checkGiven } from "./api/input-rules.ts";
import * as inputRules from "./api/input-rules.ts";
import type { UserRuntime } from "./api/user-api.ts";

export const savedComponent = async (
  { texts, clock }: Pick<Assembly, "texts" | "clock">,
  component: Component,
): Promise<SavedComponent> => ({
  ...withScheduleWarnings(component, {}, clock.now()),
  code: await texts.get(component.texts.code),
});

/** Live events of one user or, with "all", of all users. Stored events are always those of one user. */
export function listenToEvents(
  { live, workflows, events, limits, endpointUrl }: Assembly,
  filter: EventsFilter,
  userId: string,
  whose: "own" | "all" = "own",
): AsyncIterableIterator<LiveEvent> {
  const resumption = parseResumption(filter);
  const liveEvents = live.listen(filter, whose === "all" ? undefined : userId);
  const resumed =
    resumption &&
    resumeEvents(resumption.after, filter, {
      live: liveEvents,
      source: () => workflows.ownEmitter(resumption.sourceId, userId),
      retention: limits.retention,
      read: (page) => events.list(resumption.sourceId, filter.stream ?? "emits", page, userId),
    });
  return shownEvents(resumed ?? liveEvents, (source) => shownSource(source, endpointUrl));
}

export interface Acting {
  /** Throws `closed` after `close`. */
  open(): void;
  /** Id of the acting user; throws `not_found` for an unknown user. */
  userId(): string;
  /** Committed together with the triggers of runs. */
  readonly extraChanges?: readonly Change[];
}

/** Checks of a user's methods. */
function checksOf({ open, userId, extraChanges = [] }: Acting) {
  const checkChange = (rules: Rules, input: object): void => {
    open();
    checkGiven(rules, input);
  };
  /** A method that changes something, by its input. */
  const change =
    <Input extends object, Result>(rules: Rules, work: (input: Input, userId: string) => Promise<Result>) =>
    async (input: Input): Promise<Result> => {
      checkChange(rules, input);
      return work(input, userId());
    };
  /** The same for one thing, by its id. */
  const changeOne =
    <Input extends object, Result>(rules: Rules, work: (id: string, input: Input, userId: string) => Promise<Result>) =>
    async (id: string, input: Input): Promise<Result> => {
      checkChange(rules, input);
      return work(id, input, userId());
    };
  /** The same without an input. */
  const changeById =
    <Result>(work: (id: string, userId: string) => Promise<Result>) =>
    async (id: string): Promise<Result> => {
      open();
      return work(id, userId());
    };
  /** A list, by pages. */
  const paged =
    <Filter extends object, Result>(
      rules: Rules,
      list: (page: Page, filter: Partial<Filter>, userId: string) => Promise<Result>,
    ) =>
    async (page: Page, filter: Partial<Filter> = {}): Promise<Result> => {
      checkGiven(inputRules.page, page);
      checkGiven(rules, filter);
      return list(page, filter, userId());
    };
  return { open, userId, extraChanges, checkChange, change, changeOne, changeById, paged };
}

type Checks = ReturnType<typeof checksOf>;

/** The methods of one user. */
export function createUserRuntime(parts: Assembly, acting: Acting): UserRuntime {
  const checks = checksOf(acting);
  return {
    limits: parts.limits,
    ...sourceMethods(parts, checks),
    ...runMethods(parts, checks),
    ...listenerMethods(parts, checks),
    ...accountMethods(parts, checks),
    ...appEventMethods(parts, checks),
    ...dataStoreMethods(parts, checks),
  };
}

function dataStoreMethods({ dataStores }: Assembly, { open, userId, changeById }: Checks) {
  return {
    dataStores: async () => dataStores.list(userId()),
    dataStoreEntries: async (name) => dataStores.entries(name, userId()),
    dataStoreValue: async (name, key) => dataStores.value(name, key, userId()),
    async writeDataStore(name, values) {
      open();
      await dataStores.write(name, values, userId());
    },
    async deleteDataStoreKey(name, key) {
      open();
      await dataStores.deleteKey(name, key, userId());
    },
    deleteDataStore: changeById(dataStores.delete),
  } satisfies Partial<UserRuntime>;
}

/** Endpoints of apps and their events. */
function appEventMethods(
  { appEndpoints, requestLog, sources }: Assembly,
  { open, userId, change, changeById }: Checks,
) {
  return {
    putAppEndpoint: change(inputRules.appEndpoint, appEndpoints.put),
    appEndpoint: async (app) => appEndpoints.get(app, userId()),
    appEndpoints: async () => appEndpoints.list(userId()),
    deleteAppEndpoint: changeById(appEndpoints.delete),
    rotateAppEndpoint: changeById(appEndpoints.rotate),
    async appEvents(app, events, options = {}) {
      open();
      checkGiven(inputRules.force, options);
      return appEndpoints.send(app, events, options.force ?? false, userId());
    },
    async sourceRequests(id) {
      await sources.own(id, userId());
      return requestLog.recent(id);
    },
  } satisfies Partial<UserRuntime>;
}

/** Components and sources. */
function sourceMethods(parts: Assembly, { open, userId, checkChange, change, changeOne, changeById, paged }: Checks) {
  const { clock, components, configure, executions, sources, timers, workflows } = parts;
  return {
    async saveComponent(input, noted) {
      checkChange(inputRules.code, input);
      return savedComponent(parts, await components.save(input, userId(), noted));
    },
    component: async (idOrKey) => savedComponent(parts, await components.find(idOrKey, userId())),
    async componentTexts(idOrKey) {
      const { texts } = await components.find(idOrKey, userId());
      const [code, bundle, sourceMap] = await Promise.all(
        [texts.code, texts.bundle, texts.sourceMap].map(async (hash) => parts.texts.get(hash)),
      );
      return { code: code ?? "", bundle: bundle ?? "", sourceMap: sourceMap ?? "" };
    },
    configure: change(inputRules.question, configure.options),
    dynamicProps: change(inputRules.dynamicProps, configure.dynamicProps),
    deploy: change(inputRules.deploy, parts.deploy),
    update: changeOne(inputRules.update, sources.update),
    compare: changeOne(inputRules.update, sources.compare),
    compareDeploy: change(inputRules.deploy, sources.compareDeploy),
    async delete(id, given) {
      checkChange(inputRules.removal, given ?? {});
      await sources.delete(id, given?.ignoreHookErrors ?? false, userId());
    },
    async reactivate(id, given) {
      checkChange(inputRules.removal, given ?? {});
      return sources.reactivate(id, given?.ignoreHookErrors ?? false, userId());
    },
    source: async (id) => sources.view(await sources.own(id, userId())),
    sources: paged(inputRules.sourceFilter, sources.list),
    async db(id) {
      open();
      await workflows.ownEmitter(id, userId());
      return createSourceDb(parts.db, id, () => clock.now());
    },
    async dbEntries(id) {
      await workflows.ownEmitter(id, userId());
      return readDbEntries(id, parts);
    },
    async nextTick(id) {
      await workflows.ownEmitter(id, userId());
      const [next] = await timers.ticksOf(id, 1);
      return next;
    },
    async activity(id) {
      await workflows.ownEmitter(id, userId());
      const { items } = await executions.list(id, { limit: 1 }, userId());
      return readActivity(id, items[0], parts);
    },
    recentActivity: async () => parts.recentActivity(userId()),
    resetDedupe: changeById(sources.resetDedupe),
  } satisfies Partial<UserRuntime>;
}

/** Workflows, runs and their records. */
function runMethods(parts: Assembly, { userId, extraChanges, checkChange, change, changeById, paged }: Checks) {
  const { events, executions, inbox, workflows } = parts;
  return {
    workflow: change(inputRules.workflow, workflows.register),
    findWorkflow: async (id) => workflows.view(id, userId()),
    workflows: paged(inputRules.listFilter, workflows.list),
    deleteWorkflow: changeById(workflows.delete),
    async invoke(id, input) {
      checkChange(inputRules.invocation, input ?? {});
      return runNow(await workflows.ownEmitter(id, userId()), input ?? {}, { ...parts, extraChanges });
    },
    async storedEvents(id, stream, page) {
      checkGiven(inputRules.eventPage, page);
      const { totalCount, items } = await events.list(id, stream, readEventPage(page), userId());
      return { totalCount, items: items.map(shownEvent) };
    },
    async newestEvents(stream, { matches, ...query }) {
      checkGiven(inputRules.newestEvents, { ...query, ...(matches && { matches }) });
      const { items, isWhole } = await events.newest(
        stream,
        { ...query, ...(matches && { matches: (event) => matches(shownEvent(event)) }) },
        userId(),
      );
      return { items: items.map(shownEvent), isWhole };
    },
    async deleteEvents(id, stream, range) {
      checkChange(inputRules.range, range);
      await events.delete(id, stream, readEventRange(range), userId());
    },
    events<Payload>(filter: EventsFilter = {}) {
      checkGiven(inputRules.eventsFilter, filter);
      return listenToEvents(parts, filter, userId()) as AsyncIterableIterator<LiveEvent<Payload>>;
    },
    async storedExecutions(sourceId, page) {
      checkGiven(inputRules.executionPage, page);
      return executions.list(sourceId, page, userId());
    },
    execution: async (id) => executions.find(id, userId()),
    async replay(id, input = {}) {
      checkChange(inputRules.replay, input);
      const execution = await executions.find(id, userId());
      const source = await workflows.ownEmitter(execution.sourceId, userId());
      return resultOf(
        await inbox.accept({ ...replayTrigger(execution, source, input, parts.endpointUrl), extraChanges }),
        input.wait ?? true,
      );
    },
    async executionTest(id, input = {}) {
      checkGiven(inputRules.executionTest, input);
      return executionTest(id, input, userId(), parts);
    },
    executions(filter = {}) {
      checkGiven(inputRules.executionsFilter, filter);
      return executions.listen(filter, userId());
    },
  } satisfies Partial<UserRuntime>;
}

/** Subscriptions and webhooks. */
function listenerMethods(parts: Assembly, { open, userId, change, changeOne, changeById, paged }: Checks) {
  const { subscriptions, webhooks } = parts;
  return {
    subscribe: change(inputRules.subscription, subscriptions.subscribe),
    unsubscribe: change(inputRules.subscription, subscriptions.unsubscribe),
    subscriptions: async () => subscriptions.list(userId()),
    autoSubscribe: change(inputRules.autoSubscription, subscriptions.autoSubscribe),
    removeAutoSubscription: change(inputRules.autoSubscription, subscriptions.removeAuto),
    autoSubscriptions: async () => subscriptions.listAuto(userId()),
    createWebhook: change(inputRules.webhook, webhooks.create),
    webhook: async (id) => webhooks.view(id, userId()),
    webhooks: paged(inputRules.webhookFilter, webhooks.list),
    webhookActivity: async (id) => webhooks.activity(id, userId()),
    updateWebhook: changeOne(inputRules.webhookChange, webhooks.update),
    deleteWebhook: changeById(webhooks.delete),
    rotateWebhookKey: changeById(webhooks.rotateKey),
    async deliveries(webhookId, page) {
      checkGiven(inputRules.deliveryPage, page);
      return webhooks.deliveries(webhookId, page, userId());
    },
    delivery: async (webhookId, deliveryId) => webhooks.delivery(webhookId, deliveryId, userId()),
    async redeliver(webhookId, deliveryId, options = {}) {
      open();
      return webhooks.redeliver(webhookId, deliveryId, options, userId());
    },
    async redeliverMany(webhookId, filter = {}) {
      open();
      return webhooks.redeliverMany(webhookId, filter, userId());
    },
  } satisfies Partial<UserRuntime>;
}

/** The user, projects and accounts. */
function accountMethods(parts: Assembly, { userId, checkChange, change, changeOne, changeById, paged }: Checks) {
  const { accounts, apps, connections, users } = parts;
  return {
    user: async () => users.view(userId()),
    project: async (name) => parts.projects.find(name, userId()),
    projects: async () => parts.projects.list(userId()),
    putProject: changeOne(inputRules.project, parts.projects.put),
    deleteProject: changeById(parts.projects.delete),
    createAccount: change(inputRules.account, accounts.create),
    account: async (id) => accounts.view(id, userId()),
    accounts: paged(inputRules.accountFilter, accounts.list),
    updateAccount: changeOne(inputRules.accountChange, accounts.update),
    async deleteAccount(id, options = {}) {
      checkChange(inputRules.force, options);
      await accounts.delete(id, options.force ?? false, userId());
    },
    putApp: change(inputRules.app, apps.put),
    apps: async () => apps.list(userId()),
    deleteApp: changeById(apps.delete),
    services: async () => listServices(),
    connectAccount: change(inputRules.connecting, connections.begin),
    async connection(id, options = {}) {
      checkGiven(inputRules.waiting, options);
      return connections.find(id, options.wait ?? false, userId());
    },
    completeConnection: changeById(connections.complete),
  } satisfies Partial<UserRuntime>;
}
