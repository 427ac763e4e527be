import { isDeepStrictEqual } from "node:util";

import type { Accounts } from "../accounts/accounts.ts";
import type { Clock } from "../process/clock.ts";
import { splitTexts } from "../components/split-texts.ts";
import type { ComponentReference } from "../api/api.ts";
import type { LoadedWorkflow, WorkflowLoader } from "../components/contract.ts";
import type { Components } from "../components/components.ts";
import type { Dispatcher } from "../process/dispatcher.ts";
import { XError } from "../model/errors.ts";
import { newId, workflowIdOf } from "../process/ids.ts";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { Component, ComponentTexts, Page, Paged, Source } from "../model/model.ts";
import type { ExternalDb, SourceCache } from "../invocation/lane/source-cache.ts";
import type { Change, Store } from "../store/contract.ts";
import type { Texts } from "../store/texts.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { readSettings } from "../sources/source-settings.ts";
import { timerOf } from "../model/source-timer.ts";
import type { Timers } from "../timers/timers.ts";
import type { WorkflowInput, WorkflowView } from "../api/workflow-api.ts";
import { readWorkflowCode } from "./workflow-input.ts";
import type { WorkflowRegistry } from "./workflow-registry.ts";
import { workflowSource } from "./workflow-source.ts";

export interface WorkflowsParts {
  readonly store: Store;
  readonly texts: Pick<Texts, "get">;
  readonly clock: Clock;
  readonly registry: WorkflowRegistry;
  readonly loader: WorkflowLoader;
  readonly components: Pick<Components, "resolve">;
  readonly accounts: Pick<Accounts, "hold">;
  readonly sourceCache: SourceCache;
  readonly externalDb: ExternalDb | undefined;
  readonly dispatcher: Dispatcher;
  readonly inbox: Pick<Inbox, "release">;
  readonly timers: Pick<Timers, "change" | "committed">;
  readonly subscriptions: Pick<Subscriptions, "subscribe" | "unsubscribe" | "checkEmitter" | "forNew">;
  endpointUrl(key: string): string;
}

/** Workflows: in the store like sources, but there because the process says so each time it starts (G62). */
export interface Workflows {
  /** The same id again replaces what runs, and keeps everything else. */
  register(input: WorkflowInput, userId: string): Promise<WorkflowView>;
  view(id: string, userId: string): Promise<WorkflowView>;
  list(page: Page, userId: string): Promise<Paged<WorkflowView>>;
  /** With its events, subscriptions, db and what waits for it. */
  delete(id: string, userId: string): Promise<void>;
  /** The user's own source or workflow; somebody else's is `not_found`. */
  ownEmitter(id: string, userId: string): Promise<Source>;
}

type TriggerOf = NonNullable<Component["shape"]["workflow"]>["trigger"];

export function createWorkflows(parts: WorkflowsParts): Workflows {
  const { store, clock, registry, dispatcher, subscriptions } = parts;

  async function own(id: string, userId: string): Promise<Source> {
    const found = id.startsWith("p_") ? await store.source(id) : undefined;
    if (found?.userId !== userId) throw new XError("not_found", ["workflow", id]);
    return found;
  }

  const view = (source: Source): WorkflowView => {
    const [key] = Object.values(source.endpoints);
    const { id, name, active, deploymentId, createdAt, updatedAt } = source;
    const endpoint = key === undefined ? {} : { endpointUrl: parts.endpointUrl(key) };
    return { id, name, active, ...endpoint, deploymentId, createdAt, updatedAt };
  };

  /** The same definition is stored once. */
  async function componentOf(
    loaded: LoadedWorkflow["component"],
    userId: string,
  ): Promise<{ component: Component; changes: Change[] }> {
    const known = await store.componentByContent(userId, loaded.contentHash);
    if (known) return { component: known, changes: [] };
    const now = clock.now();
    const made = splitTexts(loaded, { id: newId("sc"), userId, createdAt: now, updatedAt: now });
    return { component: made.component, changes: [{ op: "component.put", ...made }] };
  }

  async function removeTrigger(id: string, trigger: NonNullable<TriggerOf>, userId: string): Promise<void> {
    await subscriptions.unsubscribe({ ...trigger, listenerId: id }, userId).catch((error: unknown) => {
      // Somebody was faster.
      if (!XError.is(error) || error.code !== "not_found") throw error;
    });
  }

  async function put(id: string, userId: string, loaded: LoadedWorkflow, input: WorkflowInput): Promise<WorkflowView> {
    const before = await store.source(id);
    if (before && before.userId !== userId) throw new XError("not_found", ["workflow", id]);
    const former = before && (await store.component(before.componentId));
    const { component, changes } = await componentOf(loaded.component, userId);
    const { values: configuredProps } = loaded;
    const { settings = {} } = input;
    const source = workflowSource({ id, userId, configuredProps, settings, component, before, now: clock.now() });
    const isNews = source.deploymentId !== before?.deploymentId;
    const trigger = component.shape.workflow?.trigger;
    const formerTrigger = former?.shape.workflow?.trigger;
    // One that listens to itself may not be there yet.
    const emitterId = trigger?.emitterId === id ? "p_*" : trigger?.emitterId;
    if (trigger && emitterId) await subscriptions.checkEmitter(emitterId, trigger.eventName, userId);

    const schedule = before && former && timerOf(before, former);
    const timer = await parts.timers.change(source, component, schedule && { timer: schedule });
    const use = { source, component, isChosen: () => isNews, mustBeComplete: true } as const;
    {
      using _accounts = await parts.accounts.hold(use);
      if (formerTrigger && !isDeepStrictEqual(formerTrigger, trigger)) await removeTrigger(id, formerTrigger, userId);
      const first = before ? [] : subscriptions.forNew(source);
      if (isNews) await store.commit([...changes, { op: "source.put", source }, timer, ...first]);
    }
    if (trigger) await subscriptions.subscribe({ ...trigger, listenerId: id }, userId);
    registry.add(id, input.handler);
    parts.sourceCache.forget(id);
    parts.timers.committed(timer);
    await parts.inbox.release(id);
    return view(source);
  }

  /** Versions of packages stay over registrations under one id or name (R071). */
  async function packageLockOf(id: string | undefined, name: string | undefined, userId: string) {
    const known = id ?? (name === undefined ? undefined : workflowIdOf(userId, name));
    const source = known === undefined ? undefined : await store.source(known);
    if (source?.userId !== userId) return undefined;
    return (await store.component(source.componentId))?.packageLock;
  }

  /** Registrations and deletions are numbered as they are asked for; the last one of each workflow that was done. */
  let asked = 0;
  const latest = new Map<string, number>();

  return {
    async register(given, userId) {
      const place = ++asked;
      const input = { ...given, settings: readSettings(given.settings) };
      const textsOf = async (reference: ComponentReference): Promise<Pick<ComponentTexts, "bundle" | "sourceMap">> => {
        const { texts } = await parts.components.resolve(reference, userId);
        return { bundle: await parts.texts.get(texts.bundle), sourceMap: await parts.texts.get(texts.sourceMap) };
      };
      const code = await readWorkflowCode(input, textsOf);
      const { id: givenId, name, trigger } = input;
      const head = { ...(givenId !== undefined && { id: givenId }), ...(name !== undefined && { name }), trigger };
      const loaded = await parts.loader.load(code, head, await packageLockOf(givenId, name, userId));
      const id = loaded.id ?? workflowIdOf(userId, loaded.component.shape.name);
      return dispatcher.run(
        id,
        async () => {
          // One that was asked for later has been faster: what it says is what counts.
          if (place < (latest.get(id) ?? 0)) return view(await own(id, userId));
          const registered = await put(id, userId, loaded, input);
          latest.set(id, place);
          return registered;
        },
        "first",
      );
    },
    view: async (id, userId) => view(await own(id, userId)),
    async list(page, userId) {
      const { totalCount, items } = await store.sources(userId, page, "p");
      return { totalCount, items: items.map(view) };
    },
    async delete(id, userId) {
      const place = ++asked;
      await own(id, userId);
      await dispatcher.run(
        id,
        async () => {
          await store.commit([{ op: "source.delete", id }]);
          latest.set(id, place);
          registry.remove(id);
          parts.sourceCache.forget(id);
          await parts.externalDb?.delete(id);
          parts.timers.committed({ op: "timer.set", sourceId: id, next: undefined });
          await parts.inbox.release(id);
        },
        "first",
      );
    },
    async ownEmitter(id, userId) {
      const found = await store.source(id);
      if (found?.userId !== userId) throw new XError("not_found", [id.startsWith("p_") ? "workflow" : "source", id]);
      return found;
    },
  };
}
