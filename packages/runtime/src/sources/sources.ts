import type { Accounts } from "../accounts/accounts.ts";
import type { DeployInput, SourceView, UpdateInput } from "../api/api.ts";
import { enterUnlessBusy } from "./busy-lane.ts";
import type { Clock } from "../process/clock.ts";
import type { PropsRules } from "../components/contract.ts";
import { type Components, namesComponent } from "../components/components.ts";
import type { Dispatcher } from "../process/dispatcher.ts";
import type { DynamicPropsOf } from "./dynamic-props.ts";
import { effectiveComponent } from "../model/effective-component.ts";
import { XError } from "../model/errors.ts";
import { deleteSource, deploySource, type LifecycleParts, updateSource } from "./lifecycle.ts";
import type { Component, PropShape, Source } from "../model/model.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import { isUnchanged, newSource, shownSource, updatedSource } from "./source-record.ts";
import type { PlannedWebhook } from "../webhooks/source-webhook.ts";
import { presentProps } from "../components/props/present.ts";
import { slug as slugOf } from "../components/slug.ts";
import { readSettings } from "./source-settings.ts";
import { createRecovery } from "./recovery.ts";
import type { Change, StoredTransition } from "../store/contract.ts";
import { createTakenSlugs } from "./taken-slugs.ts";
import { timerOf } from "../model/source-timer.ts";

export interface SourcesParts extends Omit<LifecycleParts, "later"> {
  /** Changes that a former process did not end. */
  readonly left: readonly StoredTransition[];
  /** One lane for all that may have ended the process. */
  readonly suspects: Dispatcher;
  readonly components: Components;
  readonly accounts: Pick<Accounts, "hold">;
  /** Throws for a URL that no webhook can have. */
  planWebhook(url: string): PlannedWebhook;
  readonly dynamicProps: Pick<DynamicPropsOf, "forSource">;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly busyWaitMs: number;
  /** Runs what waited while the source was inactive; forgets what waited for one that is gone. */
  release(id: string): Promise<void>;
  readonly props: PropsRules;
  endpointUrl(key: string): string;
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
  /** Ends what a former process did not, each change in the lane of its source. */
  recover(): void;
}

export function createSources(given: SourcesParts): Sources {
  const parts = { ...given, later: (unfinished: StoredTransition): void => recovery.later(unfinished) };
  const { store, components, dispatcher, clock, props, endpointUrl } = parts;
  const slugs = createTakenSlugs(store);
  const recovery = createRecovery(given.left, { ...parts, holdSlug: slugs.hold });

  /** The lane of a source that changes, until it is disposed of; a change that a former process left is ended first. */
  async function enterLane(id: string): Promise<Disposable> {
    const lane = await enterUnlessBusy(parts, id);
    await recovery.finish(id).catch((error: unknown) => {
      lane[Symbol.dispose]();
      throw error;
    });
    return lane;
  }

  /** For sources that have a listener from their first commit on: none of their events is left out of it. */
  const heard: LifecycleParts = { ...parts, settleRules: () => ({ ...parts.settleRules(), isHeard: () => true }) };

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

  function show(source: Source, component: Component): SourceView {
    const shown = shownSource(source, endpointUrl);
    const { shape } = effectiveComponent(component, source.dynamicProps);
    return {
      source: shown,
      component,
      configuredProps: presentProps(shape, source.configuredProps, shown.endpoints),
    };
  }

  async function deploy(given: DeployInput, userId: string): Promise<SourceView> {
    const input = { ...given, settings: readSettings(given.settings) };
    using webhook = input.webhookUrl === undefined ? undefined : parts.planWebhook(input.webhookUrl);
    using held = await components.hold(input, userId);
    const { component: saved, unsaved: also } = held;

    const { props: configured = {}, dynamicPropsId } = input;
    // On behalf of this user, whoever owns the component.
    const base = { component: { ...saved, userId }, given: configured, known: [], id: dynamicPropsId, userId };
    const dynamicProps = await parts.dynamicProps.forSource(base);
    const component = effectiveComponent(saved, dynamicProps);
    const configuredProps = props.configure(component.shape, configured);

    using reserved = await slugs.reserve({ wanted: slugOf(input.name ?? component.shape.name), userId });
    const { slug } = reserved;
    const now = clock.now();
    const source = newSource(userId, { input, component, dynamicProps, configuredProps, slug, now });
    using _accounts = await parts.accounts.hold({ source, component, isChosen: () => true, mustBeComplete: true });
    using _lane = await dispatcher.enter(source.id);
    const lastly = (): readonly Change[] => webhook?.changes(source) ?? [];
    await deploySource({ source, component, also, lastly }, webhook ? heard : parts);

    const made = webhook?.result();
    return { ...show(source, saved), ...(made && { webhook: made }) };
  }

  /** Computed anew when code or props change. */
  async function dynamicPropsFor(
    current: CachedSource,
    input: UpdateInput,
    component: Component,
  ): Promise<PropShape[]> {
    const { userId, componentId, dynamicProps: known = [] } = current.source;
    const { props, dynamicPropsId: id } = input;
    if (id === undefined && props === undefined && component.id === componentId) return [...known];
    const base = { component, given: props ?? {}, cached: current, known, id, userId };
    return [...(await parts.dynamicProps.forSource(base))];
  }

  async function update(id: string, given: UpdateInput, userId: string): Promise<SourceView> {
    const { componentId } = await own(id, userId);
    const input = { ...given, settings: readSettings(given.settings) };
    // A replacement has to name a component; the refusal says so.
    const isNamed = input.replace === true || namesComponent(input);
    using held = isNamed ? await components.hold(input, userId, await savedComponent(componentId)) : undefined;

    using _lane = await enterLane(id);
    const cached = await parts.sourceCache.get(id);
    const { source: current, component: before } = cached;
    const saved = held?.component ?? (current.dynamicProps ? await savedComponent(current.componentId) : before);
    const dynamicProps = await dynamicPropsFor(cached, input, saved);
    const component = effectiveComponent(saved, dynamicProps);

    const name = input.name ?? (input.replace ? component.shape.name : undefined);
    using reserved =
      name === undefined ? undefined : await slugs.reserve({ wanted: slugOf(name), userId, own: current });
    const slug = reserved?.slug ?? current.nameSlug;
    const configuredProps = props.configure(component.shape, input.props ?? {}, current.configuredProps);
    const now = clock.now();
    const source = updatedSource(current, { input, component, dynamicProps, configuredProps, slug, now });
    if (!input.replace && isUnchanged(current, source)) return show(current, saved);

    // An account that has gone refuses only what chooses it: such a source can still be renamed or paused.
    const isChosen = (prop: string): boolean => component.id !== before.id || Object.hasOwn(input.props ?? {}, prop);
    using _accounts = await parts.accounts.hold({ source, component, isChosen, mustBeComplete: true });
    const timer = timerOf(current, before);
    const previousTimer = timer && current.active ? { timer } : undefined;
    const { ignoreHookErrors = false } = input;
    await updateSource({ source, component, also: held?.unsaved ?? [], ignoreHookErrors, previousTimer }, parts);
    if (source.active) await parts.release(id);
    return show(source, saved);
  }

  return {
    deploy,
    update,
    own,
    async delete(id, ignoreHookErrors, userId) {
      await own(id, userId);
      {
        using _lane = await enterLane(id);
        await deleteSource(id, ignoreHookErrors, parts);
      }
      await parts.release(id);
    },
    async resetDedupe(id, userId) {
      await own(id, userId);
      using _lane = await enterLane(id);
      await own(id, userId);
      await store.commit([{ op: "dedupe.reset", sourceId: id }]);
      parts.sourceCache.forget(id);
    },
    recover: recovery.start,
    view: async (source) => show(source, await savedComponent(source.componentId)),
  };
}
