import { isDeepStrictEqual } from "node:util";

import type { Accounts } from "@x/accounts";
import {
  splitTexts,
  type ComponentReference,
  type Components,
  type LoadedWorkflow,
  type WorkflowLoader,
} from "@x/components";
import type { WorkflowInput } from "../api/workflow-api.ts";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { Observer } from "../observe/contract.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import {
  XError,
  newEndpointKey,
  newId,
  timerOf,
  type Clock,
  type Component,
  type ComponentTexts,
  type PackageLock,
  type Source,
  workflowIdOf,
} from "@x/model";
import { readSettings } from "../sources/source-settings.ts";
import type { Change, Store, Texts } from "@x/store";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import type { Timers } from "../timers/timers.ts";
import { readWorkflowCode } from "./workflow-input.ts";
import type { WorkflowRegistry } from "./workflow-registry.ts";
import { createTriggers } from "./trigger-subscriptions.ts";

export interface RegistrationsParts {
  readonly store: Store;
  readonly texts: Pick<Texts, "get">;
  readonly clock: Clock;
  readonly registry: WorkflowRegistry;
  readonly loader: WorkflowLoader;
  readonly components: Pick<Components, "resolve">;
  readonly accounts: Pick<Accounts, "hold">;
  readonly sourceCache: SourceCache;
  readonly inbox: Pick<Inbox, "release">;
  readonly timers: Pick<Timers, "change" | "committed">;
  readonly subscriptions: Pick<Subscriptions, "subscribe" | "unsubscribe" | "checkEmitter" | "await" | "forNew">;
  readonly observer: Pick<Observer, "changed">;
}

/** A workflow that has been read, and is not stored yet. */
export interface Registration {
  readonly id: string;
  readonly userId: string;
  readonly loaded: LoadedWorkflow;
  readonly input: WorkflowInput;
}

export interface Registrations {
  /** Reads the code and the settings. Rejects with `invalid_workflow` or `invalid_parameter`. */
  read(input: WorkflowInput, userId: string): Promise<Registration>;
  /**
   * Stores the workflow, and registers it when `isOwn` is true. Called in its lane. Rejects with `not_found` when the id is
   * of another user.
   */
  put(registration: Registration, isOwn: boolean): Promise<Source>;
  /** From now on a source that the trigger names triggers the workflow as soon as this process creates it. */
  awaitSource(registration: Registration): void;
}

/** What a registration makes the source of a workflow from. */
interface Registered extends Pick<Source, "id" | "userId" | "configuredProps" | "settings"> {
  readonly component: Component;
  /** The source of an earlier registration, also by another process. */
  readonly before: Source | undefined;
  readonly now: number;
}

/** Compares all but deployment id, state and time. */
const isSame = (a: Source, b: Source): boolean => {
  const rest = (source: Source): object => ({ ...source, deploymentId: "", active: true, updatedAt: 0 });
  return isDeepStrictEqual(rest(a), rest(b));
};

/** The source of a workflow; that of the earlier registration when nothing has changed. Keys of endpoints stay. */
function workflowSource({ component, before, now, ...given }: Registered): Source {
  const http = component.shape.props.filter(({ type }) => type === "$.interface.http");
  const next: Source = {
    ...given,
    componentId: component.id,
    deploymentId: newId("d"),
    name: component.shape.name,
    // Cannot clash with the slug of a source, which has no underscore.
    nameSlug: given.id,
    active: true,
    endpoints: Object.fromEntries(http.map(({ name }) => [name, before?.endpoints[name] ?? newEndpointKey()])),
    emitOnDeploy: true,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  return before && isSame(before, next) ? { ...before, active: true } : next;
}

export function createRegistrations(parts: RegistrationsParts): Registrations {
  const { store, clock, subscriptions } = parts;
  const triggers = createTriggers(parts);

  async function textsOf(
    reference: ComponentReference,
    userId: string,
  ): Promise<Pick<ComponentTexts, "bundle" | "sourceMap">> {
    const { texts } = await parts.components.resolve(reference, userId);
    return { bundle: await parts.texts.get(texts.bundle), sourceMap: await parts.texts.get(texts.sourceMap) };
  }

  /** A workflow keeps the versions of its packages under one id or name. */
  async function packageLockOf({ id, name }: WorkflowInput, userId: string): Promise<PackageLock | undefined> {
    const known = id ?? (name === undefined ? undefined : workflowIdOf(userId, name));
    const source = known === undefined ? undefined : await store.source(known);
    if (source?.userId !== userId) return undefined;
    return (await store.component(source.componentId))?.packageLock;
  }

  /** Reuses the component of the same definition. */
  async function componentOf(
    loaded: LoadedWorkflow["component"],
    userId: string,
  ): Promise<{ component: Component; changes: Change[] }> {
    const known = await store.componentByContent(userId, loaded.contentHash);
    if (known) return { component: known, changes: [] };
    const now = clock.now();
    const created = splitTexts(loaded, { id: newId("sc"), userId, createdAt: now, updatedAt: now });
    return { component: created.component, changes: [{ op: "component.put", ...created }] };
  }

  return {
    awaitSource: ({ id, userId, loaded }) => triggers.await(id, loaded.component.shape.workflow?.trigger, userId),
    async read(given, userId) {
      const input = { ...given, settings: readSettings(given.settings) };
      const code = await readWorkflowCode(input, (reference) => textsOf(reference, userId));
      const { id, name, trigger } = input;
      const head = { ...(id !== undefined && { id }), ...(name !== undefined && { name }), trigger };
      const loaded = await parts.loader.load(code, head, await packageLockOf(input, userId));
      return { id: loaded.id ?? workflowIdOf(userId, loaded.component.shape.name), userId, loaded, input };
    },

    async put({ id, userId, loaded, input }, isOwn) {
      const before = await store.source(id);
      if (before && before.userId !== userId) throw new XError("not_found", ["workflow", id]);
      const former = before && (await store.component(before.componentId));
      const { component, changes } = await componentOf(loaded.component, userId);
      const { values: configuredProps } = loaded;
      const { settings = {} } = input;
      const source = workflowSource({ id, userId, configuredProps, settings, component, before, now: clock.now() });
      const isChanged = source.deploymentId !== before?.deploymentId;
      const trigger = component.shape.workflow?.trigger;
      const formerTrigger = former?.shape.workflow?.trigger;
      await triggers.check(trigger, id, userId);
      triggers.await(id, trigger, userId);
      const emitter = await triggers.resolve(trigger, userId);
      const formerEmitter = await triggers.resolve(formerTrigger, userId);

      const schedule = before && former && timerOf(before, former);
      const timer = await parts.timers.change(source, component, schedule && { timer: schedule });
      const use = { source, component, isChosen: () => isChanged, mustBeComplete: true } as const;
      {
        using _accounts = await parts.accounts.hold(use);
        if (formerEmitter && !isDeepStrictEqual(formerEmitter, emitter))
          await triggers.remove(id, formerEmitter, userId);
        const first = before ? [] : subscriptions.forNew(source);
        if (isChanged) await store.commit([...changes, { op: "source.put", source }, timer, ...first]);
      }
      if (emitter) await subscriptions.subscribe({ ...emitter, listenerId: id }, userId);
      if (isOwn) parts.registry.add(id, input.handler);
      parts.sourceCache.forget(id);
      parts.timers.committed(timer);
      await parts.inbox.release(id);
      if (isChanged) parts.observer.changed(before ? "update" : "create", source);
      return source;
    },
  };
}
