import type { Accounts } from "@x/accounts";
import type { DeployInput, SourceView } from "../api/api.ts";
import { slug as slugOf, type Components, type PropsRules, withPropTexts } from "@x/components";
import {
  effectiveComponent,
  withWarnings,
  type Clock,
  type Component,
  type Dispatcher,
  type PropShape,
  type Source,
} from "@x/model";
import type { Change } from "@x/store";
import type { PlannedWebhook } from "../webhooks/source-webhook.ts";
import type { AppHooks } from "./app-hooks.ts";
import type { DynamicPropsOf } from "./dynamic-props.ts";
import { withAccounts, withMissingAccounts } from "./account-props.ts";
import { deploySource, type LifecycleParts } from "./lifecycle.ts";
import { restoredSource } from "./restored-source.ts";
import { newSource } from "./source-record.ts";
import { readSettings } from "./source-settings.ts";
import type { SourceViews } from "./source-views.ts";
import type { TakenSlugs } from "./taken-slugs.ts";

/** What the configuration of a source is checked with, at a deploy and at an update. */
export interface ConfigurationParts {
  readonly components: Components;
  readonly accounts: Pick<Accounts, "hold" | "missing">;
  readonly dynamicProps: Pick<DynamicPropsOf, "forSource">;
  readonly props: PropsRules;
  readonly appHooks: AppHooks;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

export interface DeployParts extends LifecycleParts, ConfigurationParts {
  /** Throws for a URL that no webhook can have. */
  planWebhook(url: string): PlannedWebhook;
  readonly slugs: Pick<TakenSlugs, "reserve">;
  /** Of the URLs of endpoints. */
  readonly endpointBase: string;
  readonly views: Pick<SourceViews, "show">;
  /** The id of a new source, reserved until it is disposed of. */
  reserveId(): Promise<Disposable & { readonly id: string }>;
}

/** What a new source is configured with, checked. */
interface Configured {
  /** With dynamic props. */
  readonly component: Component;
  readonly dynamicProps: readonly PropShape[];
  readonly configuredProps: Source["configuredProps"];
}

/** Works out the configuration of a new source of the component. */
export async function configureNew(
  saved: Component,
  input: DeployInput,
  {
    userId,
    parts,
  }: { readonly userId: string; readonly parts: Pick<DeployParts, "accounts" | "dynamicProps" | "props"> },
): Promise<Configured> {
  const { dynamicPropsId, props = {}, propTexts } = input;
  const configured = withAccounts(saved.shape, withPropTexts(saved.shape, props, propTexts), input.accounts);
  // The component may belong to another user.
  const base = { component: { ...saved, userId }, given: configured, known: [], id: dynamicPropsId, userId };
  const dynamicProps = await parts.dynamicProps.forSource(base);
  const component = effectiveComponent(saved, dynamicProps);
  const values = withPropTexts(component.shape, configured, propTexts);
  const configuredProps = withMissingAccounts(
    () => parts.props.configure(component.shape, values),
    component.shape,
    () => parts.accounts.missing(component, values),
  );
  return { component, dynamicProps, configuredProps };
}

/** Creates a source for the user, and runs its hooks. */
export async function deploy(given: DeployInput, userId: string, parts: DeployParts): Promise<SourceView> {
  const { components, accounts, slugs } = parts;
  const input = { ...given, settings: readSettings(given.settings) };
  using webhook = input.webhookUrl === undefined ? undefined : parts.planWebhook(input.webhookUrl);
  using held = await components.hold(input, userId);
  const { component: saved, unsaved: extraChanges } = held;

  const { component, dynamicProps, configuredProps } = await configureNew(saved, input, { userId, parts });

  using reserved = await slugs.reserve({ wanted: slugOf(input.name ?? component.shape.name), userId });
  const { slug } = reserved;
  const now = parts.clock.now();
  using reservedId = await parts.reserveId();
  const { id } = reservedId;
  const made = newSource(id, userId, {
    input,
    component,
    dynamicProps,
    configuredProps,
    slug,
    endpointBase: parts.endpointBase,
    now,
  });
  using _accounts = await accounts.hold({ source: made, component, isChosen: () => true, mustBeComplete: true });
  const source = await parts.appHooks.withAppEvents(made, component);
  using _lane = await parts.dispatcher.enter(source.id);
  const lastly = (): readonly Change[] => webhook?.changes(source) ?? [];
  const { limits } = parts.settleRules();
  const restored = input.restored && restoredSource(input.restored, { source, component, limits, now });
  const change = { source, component, extraChanges, lastly, ...(restored && { restored }) };
  await deploySource(change, webhook ? withListener(parts) : parts);

  const created = webhook?.result();
  const view = await parts.views.show(source, saved);
  const warned = withWarnings(view.component, await parts.appHooks.warnings(source, component));
  return { ...view, component: warned, ...(created && { webhook: created }) };
}

/** For a source with a webhook from its first commit on: the events of its hooks are stored for the webhook. */
const withListener = (parts: LifecycleParts): LifecycleParts => ({
  ...parts,
  settleRules: () => ({ ...parts.settleRules(), hasListeners: () => true }),
});
