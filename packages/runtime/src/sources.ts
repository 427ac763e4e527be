import { isDeepStrictEqual } from "node:util";

import type { Accounts } from "./accounts.ts";
import type { DeployInput, SourceView, UpdateInput } from "./api.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { PropsRules } from "./component/contract.ts";
import { type Components, namesComponent } from "./components.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { DynamicPropsOf } from "./dynamic-props.ts";
import { effectiveComponent } from "./effective-component.ts";
import { XError } from "./errors.ts";
import { newEndpointKey, newId } from "./ids.ts";
import { deleteSource, deploySource, type LifecycleParts, updateSource } from "./lifecycle.ts";
import type { Component, Json, PropShape, Source } from "./model.ts";
import type { Resident } from "./residents.ts";
import type { Change } from "./store/contract.ts";
import { timerOf } from "./timers.ts";

export interface SourceRules {
  readonly props: PropsRules;
  slug(name: string): string;
  freeSlug(wanted: string, taken: ReadonlySet<string>): string;
  presentProps(
    shape: Component["shape"],
    configured: Source["configuredProps"],
    endpointUrls: { [prop: string]: string },
  ): {
    readonly [prop: string]: Json;
  };
  endpointUrl(key: string): string;
}

export interface SourcesParts extends LifecycleParts {
  readonly components: Components;
  readonly accounts: Pick<Accounts, "whileUsing">;
  readonly dynamicProps: Pick<DynamicPropsOf, "forSource">;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly busyWaitMs: number;
  readonly rules: SourceRules;
}

/** Deploy, update, delete and show sources on behalf of a user. */
export interface Sources {
  deploy(input: DeployInput, userId: string): Promise<SourceView>;
  update(id: string, input: UpdateInput, userId: string): Promise<SourceView>;
  delete(id: string, ignoreHookErrors: boolean, userId: string): Promise<void>;
  /** Forgets which ids it has emitted. */
  resetDedupe(id: string, userId: string): Promise<void>;
  /** The user's own source; somebody else's is `not_found`. */
  own(id: string, userId: string): Promise<Source>;
  view(source: Source): Promise<SourceView>;
}

export function createSources(parts: SourcesParts): Sources {
  const { store, components, dispatcher, clock, rules } = parts;

  async function own(id: string, userId: string): Promise<Source> {
    // Workflows are in the same table.
    const source = id.startsWith("dc_") ? await store.source(id) : undefined;
    if (source?.userId !== userId) throw new XError("not_found", ["source", id]);
    return source;
  }

  async function savedComponent(id: string): Promise<Component> {
    const component = await store.component(id);
    if (!component) throw new XError("not_found", ["component", id]);
    return component;
  }

  function endpointsFor(component: Component, kept: Source["endpoints"] = {}): Source["endpoints"] {
    const props = component.shape.props.filter(({ type }) => type === "$.interface.http");
    return Object.fromEntries(
      props.map(({ name }) => [name, (Object.hasOwn(kept, name) ? kept[name] : undefined) ?? newEndpointKey()]),
    );
  }

  function show(source: Source, component: Component): SourceView {
    const urls = Object.fromEntries(
      Object.entries(source.endpoints).map(([prop, key]) => [prop, rules.endpointUrl(key)]),
    );
    const { shape } = effectiveComponent(component, source.dynamicProps);
    return { source, component, configuredProps: rules.presentProps(shape, source.configuredProps, urls) };
  }

  /** Slugs that changes under way are going to take, so that two at once never get the same. */
  const reserved = new Set<string>();

  /** Finds a free slug and keeps it from others until `change` has ended. */
  async function withSlug<T>(
    wanted: string,
    user: string,
    own: Source | undefined,
    change: (slug: string) => Promise<T>,
  ): Promise<T> {
    const taken = new Set(await store.slugs(user, wanted));
    if (own) taken.delete(own.nameSlug);
    for (const each of reserved) if (each.startsWith(`${user} `)) taken.add(each.slice(user.length + 1));
    const slug = rules.freeSlug(wanted, taken);
    const entry = `${user} ${slug}`;
    // In the same turn as the choice: nobody can choose in between.
    reserved.add(entry);
    try {
      return await change(slug);
    } finally {
      reserved.delete(entry);
    }
  }

  const deploy = (input: DeployInput, userId: string): Promise<SourceView> =>
    components.using(input, userId, (component, unsaved) => deployComponent(component, unsaved, input, userId));

  async function deployComponent(
    saved: Component,
    unsaved: readonly Change[],
    input: DeployInput,
    userId: string,
  ): Promise<SourceView> {
    const { props: given = {}, dynamicPropsId } = input;
    // On behalf of this user, whoever owns the component.
    const base = { component: { ...saved, userId }, given, known: [], id: dynamicPropsId, userId };
    const dynamicProps = await parts.dynamicProps.forSource(base);
    const component = effectiveComponent(saved, dynamicProps);
    const configuredProps = rules.props.configure(component.shape, given);
    const wanted = rules.slug(input.name ?? component.shape.name);
    return withSlug(wanted, userId, undefined, async (slug) => {
      const now = clock.now();
      const source: Source = {
        id: newId("dc"),
        userId,
        componentId: component.id,
        deploymentId: newId("d"),
        name: input.name ?? slug,
        nameSlug: slug,
        active: true,
        configuredProps,
        ...(dynamicProps.length > 0 && { dynamicProps }),
        endpoints: endpointsFor(component),
        emitOnDeploy: input.emitOnDeploy ?? true,
        settings: input.settings ?? {},
        createdAt: now,
        updatedAt: now,
      };
      const use = { source, component, isChosen: () => true };
      await parts.accounts.whileUsing(use, () =>
        dispatcher.run(source.id, () => deploySource({ source, component, also: unsaved }, parts)),
      );
      return show(source, saved);
    });
  }

  /** Runs a change in the source's lane; rejects with `busy` when the lane does not come free in time (contract 3.1). */
  function inLane<T>(id: string, change: () => Promise<T>): Promise<T> {
    const begun = Promise.withResolvers<"begun">();
    let gaveUp = false;
    const result = dispatcher.run(id, async () => {
      begun.resolve("begun");
      if (gaveUp) throw new XError("busy", [id]);
      return change();
    });
    const waited = Promise.withResolvers<"waited">();
    const cancel = systemClock.wakeAt(systemClock.now() + parts.busyWaitMs, () => waited.resolve("waited"));
    return Promise.race([begun.promise, waited.promise]).then((first) => {
      cancel();
      if (first === "begun") return result;
      gaveUp = true;
      result.catch(() => undefined);
      throw new XError("busy", [id]);
    });
  }

  /** Computed anew when code or props change. */
  async function dynamicPropsFor(current: Resident, input: UpdateInput, component: Component): Promise<PropShape[]> {
    const { userId, componentId, dynamicProps: known = [] } = current.source;
    const { props, dynamicPropsId: id } = input;
    if (id === undefined && props === undefined && component.id === componentId) return [...known];
    const base = { component, given: props ?? {}, resident: current, known, id, userId };
    return [...(await parts.dynamicProps.forSource(base))];
  }

  /** `component` has the dynamic props that the source will have. */
  function updated(source: Source, input: UpdateInput, component: Component, dynamicProps: PropShape[], slug: string) {
    const { dynamicProps: _before, ...current } = source;
    return {
      ...current,
      ...(dynamicProps.length > 0 && { dynamicProps }),
      componentId: component.id,
      deploymentId: newId("d"),
      // An absent name on PUT is the component's slug (R089); with a clash its number is part of it, as on deploy.
      name: input.name ?? (input.replace ? slug : current.name),
      nameSlug: slug,
      active: input.active ?? (input.replace ? true : current.active),
      configuredProps: rules.props.configure(component.shape, input.props ?? {}, current.configuredProps),
      endpoints: endpointsFor(component, current.endpoints),
      settings: input.settings ? { ...current.settings, ...input.settings } : current.settings,
      updatedAt: clock.now(),
    };
  }

  async function update(id: string, input: UpdateInput, userId: string): Promise<SourceView> {
    const current = await own(id, userId);
    // A replacement has to name a component; the refusal says so.
    if (!input.replace && !namesComponent(input)) return change(id, undefined, [], input, userId);
    const before = await savedComponent(current.componentId);
    return components.using(
      input,
      userId,
      (component, unsaved) => change(id, component, unsaved, input, userId),
      before,
    );
  }

  function change(
    id: string,
    given: Component | undefined,
    unsaved: readonly Change[],
    input: UpdateInput,
    userId: string,
  ): Promise<SourceView> {
    return inLane(id, async () => {
      const resident = await parts.residents.get(id);
      const { source: current, component: before } = resident;
      const saved = given ?? (current.dynamicProps ? await savedComponent(current.componentId) : before);
      const dynamicProps = await dynamicPropsFor(resident, input, saved);
      const component = effectiveComponent(saved, dynamicProps);
      const apply = async (slug: string): Promise<SourceView> => {
        const source = updated(current, input, component, dynamicProps, slug);
        if (!input.replace && isSame(current, source)) return show(current, saved);
        const timer = timerOf(current, before);
        const previousTimer = timer && current.active ? { timer } : undefined;
        const { ignoreHookErrors = false } = input;
        // An account that has gone refuses only what chooses it: such a source can still be renamed or paused.
        const isChosen = (prop: string): boolean =>
          component.id !== before.id || Object.hasOwn(input.props ?? {}, prop);
        await parts.accounts.whileUsing({ source, component, isChosen }, () =>
          updateSource({ source, component, also: unsaved, ignoreHookErrors, previousTimer }, parts),
        );
        return show(source, saved);
      };
      const renamed = input.name ?? (input.replace ? component.shape.name : undefined);
      return renamed === undefined ? apply(current.nameSlug) : withSlug(rules.slug(renamed), userId, current, apply);
    });
  }

  return {
    deploy,
    update,
    own,
    async delete(id, ignoreHookErrors, userId) {
      await own(id, userId);
      await inLane(id, () => deleteSource(id, ignoreHookErrors, parts));
    },
    async resetDedupe(id, userId) {
      await own(id, userId);
      await inLane(id, async () => {
        await own(id, userId);
        await store.commit([{ op: "dedupe.reset", sourceId: id }]);
        parts.residents.forget(id);
      });
    },
    view: async (source) => show(source, await savedComponent(source.componentId)),
  };
}

/** A PATCH that changes nothing runs no hook (contract 3.3). */
function isSame(a: Source, b: Source): boolean {
  const rest = (source: Source): object => ({ ...source, deploymentId: "", updatedAt: 0 });
  return isDeepStrictEqual(rest(a), rest(b));
}
