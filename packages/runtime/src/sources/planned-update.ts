import type { SourceComparison, UpdateInput } from "../api/api.ts";
import { keptValues, namesComponent, slug as slugOf, withPropTexts } from "@x/components";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import { effectiveComponent, type Component, type ComponentWarning, type PropShape, type Source } from "@x/model";
import { withAccounts, withMissingAccounts } from "./account-props.ts";
import type { DeployParts } from "./deploy.ts";
import { differencesOf } from "./source-differences.ts";
import { updatedSource } from "./source-record.ts";
import { readSettings } from "./source-settings.ts";
import type { SourceViews } from "./source-views.ts";

/** What updates are worked out with. */
export interface UpdatePlanParts extends Pick<
  DeployParts,
  "accounts" | "appHooks" | "components" | "dynamicProps" | "props" | "slugs" | "clock" | "sourceCache" | "endpointBase"
> {
  readonly views: SourceViews;
}

/** An update that is worked out and not made; holds the source's new slug. */
export interface PlannedUpdate extends Disposable {
  readonly input: UpdateInput;
  /** Without dynamic props. */
  readonly saved: Component;
  readonly component: Component;
  readonly source: Source;
  /** Warnings of defaults of a new version that the source does not take. */
  readonly kept: readonly ComponentWarning[];
}

/** The dynamic props after an update; computed anew when code or props change. */
async function dynamicPropsAfter(
  current: CachedSource,
  { props, dynamicPropsId: id }: UpdateInput,
  component: Component,
  rules: UpdatePlanParts["dynamicProps"],
): Promise<readonly PropShape[]> {
  const { userId, componentId, dynamicProps: known = [] } = current.source;
  if (id === undefined && props === undefined && component.id === componentId) return known;
  return rules.forSource({ component, given: props ?? {}, cached: current, known, id, userId });
}

/** Works out the source after an update. `held`: the component that the update names. */
export async function planUpdate(
  cached: CachedSource,
  { given, held }: { readonly given: UpdateInput; readonly held: Component | undefined },
  { views, slugs, props, clock, accounts, appHooks, endpointBase, dynamicProps: rules }: UpdatePlanParts,
): Promise<PlannedUpdate> {
  const { source: current, component: before } = cached;
  const saved = held ?? (current.dynamicProps ? await views.savedComponent(current.componentId) : before);
  const { propTexts } = given;
  const known = effectiveComponent(saved, current.dynamicProps ?? []);
  const read = propTexts ? withPropTexts(known.shape, given.props ?? {}, propTexts) : given.props;
  const values = given.accounts ? withAccounts(saved.shape, read ?? {}, given.accounts) : read;
  const input = { ...given, ...(values && { props: values }), settings: readSettings(given.settings) };
  const dynamicProps = await dynamicPropsAfter(cached, input, saved, rules);
  const component = effectiveComponent(saved, dynamicProps);

  const name = input.name ?? (input.replace ? component.shape.name : undefined);
  const wanted = name === undefined ? undefined : slugOf(name);
  const reserved =
    wanted === undefined ? undefined : await slugs.reserve({ wanted, userId: current.userId, own: current });
  try {
    const slug = reserved?.slug ?? current.nameSlug;
    const configured = withPropTexts(component.shape, input.props ?? {}, propTexts);
    const configuredProps = withMissingAccounts(
      () => props.configure(component.shape, configured, current.configuredProps),
      component.shape,
      () =>
        component.id === before.id ? [] : accounts.missing(component, { ...current.configuredProps, ...configured }),
    );
    const facts = { input, component, dynamicProps, configuredProps, slug, endpointBase, now: clock.now() };
    const source = await appHooks.withAppEvents(updatedSource(current, facts), component, cached);
    const after = { shape: component.shape, values: configuredProps };
    const kept = component.id === before.id ? [] : keptValues(before.shape, after, configured);
    return { input, saved, component, source, kept, [Symbol.dispose]: () => reserved?.[Symbol.dispose]() };
  } catch (error) {
    reserved?.[Symbol.dispose]();
    throw error;
  }
}

/** What an update with this input would change; changes nothing. */
export async function compareUpdate(
  id: string,
  given: UpdateInput,
  userId: string,
  parts: UpdatePlanParts,
): Promise<SourceComparison> {
  const { views, components, sourceCache } = parts;
  const { componentId } = await views.own(id, userId);
  const before = await views.savedComponent(componentId);
  using held = namesComponent(given) ? await components.hold(given, userId, before) : undefined;
  const cached = await sourceCache.get(id);
  using planned = await planUpdate(cached, { given, held: held?.component }, parts);
  const { source, saved, kept } = planned;
  const changes = differencesOf(
    { source: cached.source, component: before, view: await views.show(cached.source, before) },
    { source, component: saved, view: await views.show(source, saved) },
  );
  return { changes, ...(kept.length > 0 && { warnings: kept }) };
}
