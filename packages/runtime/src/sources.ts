import { isDeepStrictEqual } from "node:util";

import type { DeployInput, SourceView, UpdateInput } from "./api.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { PropsRules } from "./component/contract.ts";
import { type Components, namesComponent } from "./components.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { XError } from "./errors.ts";
import { newEndpointKey, newId } from "./ids.ts";
import { deleteSource, deploySource, type LifecycleParts, updateSource } from "./lifecycle.ts";
import type { Component, Json, Source } from "./model.ts";
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
    const source = await store.source(id);
    if (source?.userId !== userId) throw new XError("not_found", ["source", id]);
    return source;
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
    return { source, component, configuredProps: rules.presentProps(component.shape, source.configuredProps, urls) };
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

  async function deploy(input: DeployInput, userId: string): Promise<SourceView> {
    const component = await components.resolve(input, userId);
    const configuredProps = rules.props.configure(component.shape, input.props ?? {});
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
        endpoints: endpointsFor(component),
        emitOnDeploy: input.emitOnDeploy ?? true,
        settings: input.settings ?? {},
        createdAt: now,
        updatedAt: now,
      };
      await dispatcher.run(source.id, () => deploySource(source, component, parts));
      return show(source, component);
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

  function updated(current: Source, input: UpdateInput, component: Component, slug: string): Source {
    return {
      ...current,
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
    await own(id, userId);
    if (input.replace && !namesComponent(input)) await components.resolve(input, userId);
    const given = namesComponent(input) ? await components.resolve(input, userId) : undefined;
    return inLane(id, async () => {
      const { source: current, component: before } = await parts.residents.get(id);
      const component = given ?? before;
      const apply = async (slug: string): Promise<SourceView> => {
        const source = updated(current, input, component, slug);
        if (!input.replace && isSame(current, source)) return show(current, before);
        const timer = timerOf(current, before);
        const previousTimer = timer && current.active ? { timer } : undefined;
        const { ignoreHookErrors = false } = input;
        await updateSource({ source, component, ignoreHookErrors, previousTimer }, parts);
        return show(source, component);
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
    async view(source) {
      const component = await store.component(source.componentId);
      if (!component) throw new XError("not_found", ["component", source.componentId]);
      return show(source, component);
    },
  };
}

/** A PATCH that changes nothing runs no hook (contract 3.3). */
function isSame(a: Source, b: Source): boolean {
  const rest = (source: Source): object => ({ ...source, deploymentId: "", updatedAt: 0 });
  return isDeepStrictEqual(rest(a), rest(b));
}
