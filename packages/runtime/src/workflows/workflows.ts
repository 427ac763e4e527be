import type { WorkflowDetail, WorkflowInput, WorkflowView } from "../api/workflow-api.ts";
import type { ExternalDb } from "../invocation/lane/source-cache.ts";
import {
  XError,
  parseSearch,
  pointer,
  scheduleWarnings,
  type ComponentShape,
  type Dispatcher,
  type ListFilter,
  type Page,
  type Paged,
  type Source,
} from "@x/model";
import { slug } from "@x/components";
import { type ListQuery, createMatchingLists } from "@x/store";
import { isSourceName } from "../subscriptions/match.ts";
import { createRegistrations, type Registration, type RegistrationsParts } from "./workflow-registration.ts";

export interface WorkflowsParts extends RegistrationsParts {
  readonly externalDb: ExternalDb | undefined;
  readonly dispatcher: Dispatcher;
  endpointUrl(key: string): string;
}

/** Stores a registration. `put` does so in the lane of the workflow, in the order of the calls. */
export type StoreRegistration = (registration: Registration, put: () => Promise<Source>) => Promise<Source>;

/** Workflows: stored like sources, but registered by the program at each start. Ids of other users are `not_found`. */
export interface Workflows {
  /** A second registration with the same id replaces the definition, and keeps events, db and subscriptions. */
  register(input: WorkflowInput, userId: string, storeWith?: StoreRegistration): Promise<WorkflowView>;
  /** Stores a workflow that another process has registered. */
  store(registration: Registration): Promise<Source>;
  view(id: string, userId: string): Promise<WorkflowDetail>;
  list(page: Page, filter: ListFilter, userId: string): Promise<Paged<WorkflowView>>;
  /** Deletes the workflow with its events, subscriptions, db and waiting triggers. */
  delete(id: string, userId: string): Promise<void>;
  /** The user's own source or workflow. */
  ownEmitter(id: string, userId: string): Promise<Source>;
}

export function createWorkflows(parts: WorkflowsParts): Workflows {
  const { store, dispatcher } = parts;
  const registrations = createRegistrations(parts);
  const lists = createMatchingLists();
  async function own(id: string, userId: string): Promise<Source> {
    const found = id.startsWith("p_") ? await store.source(id) : undefined;
    if (found?.userId !== userId) throw new XError("not_found", ["workflow", id]);
    return found;
  }

  const view = (source: Source): WorkflowView => {
    const [key] = Object.values(source.endpoints);
    const { id, name, active, deploymentId, createdAt, updatedAt } = source;
    const endpoint = key === undefined ? {} : { endpointUrl: parts.endpointUrl(key) };
    return { id, name, nameSlug: slug(name), active, ...endpoint, deploymentId, createdAt, updatedAt };
  };

  /** With the warnings about the schedule of the trigger. */
  const warned = (source: Source, { props }: Pick<ComponentShape, "props">): WorkflowView => {
    const found = scheduleWarnings(props, {}, parts.clock.now());
    const warnings = found.map((warning) => ({ ...warning, path: pointer("trigger", "cron") }));
    return { ...view(source), ...(warnings.length > 0 && { warnings }) };
  };

  /** Numbers registrations and deletions by the order of their calls; `latest`: the last one that was done, by workflow. */
  let calls = 0;
  const latest = new Map<string, number>();

  return {
    async register(input, userId, storeWith = (_, put) => put()) {
      const call = ++calls;
      const registration = await registrations.read(input, userId);
      const { id } = registration;
      const inLane = async (): Promise<Source> => {
        // A later call has overtaken this one, and replaces it.
        if (call < (latest.get(id) ?? 0)) return own(id, userId);
        const source = await registrations.put(registration, true);
        latest.set(id, call);
        return source;
      };
      const source = await storeWith(registration, () => dispatcher.run(id, inLane, "first"));
      // Another node may have stored it; sources are created by any.
      if (call >= (latest.get(id) ?? 0)) registrations.awaitSource(registration);
      return warned(source, registration.loaded.component.shape);
    },
    store: (registration) => dispatcher.run(registration.id, () => registrations.put(registration, false), "first"),
    async view(id, userId) {
      const source = await own(id, userId);
      const component = await store.component(source.componentId);
      const { props = [], workflow } = component?.shape ?? {};
      const { steps = [], trigger } = workflow ?? {};
      const awaited = trigger && isSourceName(trigger.emitterId) ? trigger.emitterId : undefined;
      const isAwaited = awaited !== undefined && !(await store.sourceBySlug(userId, awaited));
      return { ...warned(source, { props }), steps, ...(isAwaited && { awaitedSource: awaited }) };
    },
    async list(page, { text = "" }, userId) {
      const read = (slice: ListQuery): Promise<Paged<Source>> => store.sources(userId, slice, "p");
      const isFound = parseSearch(text);
      const { totalCount, items } = isFound
        ? await lists.page(
            { key: `${userId} ${text}`, read, matches: ({ id, name }) => isFound([name, slug(name)], id) },
            page,
          )
        : await read(page);
      return { totalCount, items: items.map(view) };
    },
    async delete(id, userId) {
      const call = ++calls;
      const source = await own(id, userId);
      await dispatcher.run(
        id,
        async () => {
          await store.commit([{ op: "source.delete", id }]);
          latest.set(id, call);
          parts.registry.remove(id);
          parts.subscriptions.await(id, undefined);
          parts.sourceCache.forget(id);
          await parts.externalDb?.delete(id);
          parts.timers.committed({ op: "timer.set", sourceId: id, next: undefined });
          await parts.inbox.release(id);
          parts.observer.changed("delete", source);
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
