import type { Accounts } from "../accounts/accounts.ts";
import type { DeployInput, SourceView } from "../api/api.ts";
import type { Components } from "../components/components.ts";
import type { PropsRules } from "../components/contract.ts";
import { slug as slugOf } from "../components/slug.ts";
import { effectiveComponent } from "../model/effective-component.ts";
import type { Component, PropShape, Source } from "../model/model.ts";
import type { Clock } from "../process/clock.ts";
import { newId } from "../process/ids.ts";
import type { Dispatcher } from "../process/dispatcher.ts";
import type { Change } from "../store/contract.ts";
import type { PlannedWebhook } from "../webhooks/source-webhook.ts";
import type { DynamicPropsOf } from "./dynamic-props.ts";
import { withAccounts } from "./account-props.ts";
import { deploySource, type LifecycleParts } from "./lifecycle.ts";
import { restoredSource } from "./restored-source.ts";
import { newSource } from "./source-record.ts";
import { readSettings } from "./source-settings.ts";
import type { SourceViews } from "./source-views.ts";
import type { TakenSlugs } from "./taken-slugs.ts";

/** What the configuration of a source is checked with, at a deploy and at an update. */
export interface ConfigurationParts {
  readonly components: Components;
  readonly accounts: Pick<Accounts, "hold">;
  readonly dynamicProps: Pick<DynamicPropsOf, "forSource">;
  readonly props: PropsRules;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

export interface DeployParts extends LifecycleParts, ConfigurationParts {
  /** Throws for a URL that no webhook can have. */
  planWebhook(url: string): PlannedWebhook;
  readonly slugs: Pick<TakenSlugs, "reserve">;
  readonly views: Pick<SourceViews, "show">;
  /** With several nodes. */
  readonly placement?: Placement | undefined;
}

/** Gives new sources to this node. */
export interface Placement {
  /** The first id that belongs to this node. */
  drawId(draw: () => string): Promise<string>;
  /** The source stays on this node until the result is disposed of. */
  enter(id: string): Disposable;
  /** Lets one deploy that needs this name begin at a time, on all nodes. */
  enterName(name: string): Promise<Disposable>;
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
  { userId, parts }: { readonly userId: string; readonly parts: Pick<DeployParts, "dynamicProps" | "props"> },
): Promise<Configured> {
  const { dynamicPropsId } = input;
  const configured = withAccounts(saved.shape, input.props ?? {}, input.accounts);
  // The component may belong to another user.
  const base = { component: { ...saved, userId }, given: configured, known: [], id: dynamicPropsId, userId };
  const dynamicProps = await parts.dynamicProps.forSource(base);
  const component = effectiveComponent(saved, dynamicProps);
  return { component, dynamicProps, configuredProps: parts.props.configure(component.shape, configured) };
}

/** Creates a source for the user, and runs its hooks. */
export async function deploy(given: DeployInput, userId: string, parts: DeployParts): Promise<SourceView> {
  const { components, accounts, slugs } = parts;
  const input = { ...given, settings: readSettings(given.settings) };
  const { webhookUrl: url } = input;
  // Two nodes would both find no webhook with the URL.
  using _url = url === undefined ? undefined : await parts.placement?.enterName(`${userId} ${url}`);
  using webhook = input.webhookUrl === undefined ? undefined : parts.planWebhook(input.webhookUrl);
  using held = await components.hold(input, userId);
  const { component: saved, unsaved: also } = held;

  const { component, dynamicProps, configuredProps } = await configureNew(saved, input, { userId, parts });

  using reserved = await slugs.reserve({ wanted: slugOf(input.name ?? component.shape.name), userId });
  const { slug } = reserved;
  const now = parts.clock.now();
  const draw = (): string => newId("dc");
  const id = (await parts.placement?.drawId(draw)) ?? draw();
  using _client = parts.placement?.enter(id);
  const source = newSource(id, userId, { input, component, dynamicProps, configuredProps, slug, now });
  using _accounts = await accounts.hold({ source, component, isChosen: () => true, mustBeComplete: true });
  using _lane = await parts.dispatcher.enter(source.id);
  const lastly = (): readonly Change[] => webhook?.changes(source) ?? [];
  const { limits } = parts.settleRules();
  const restored = input.restored && restoredSource(input.restored, { source, component, limits, now });
  const change = { source, component, also, lastly, ...(restored && { restored }) };
  await deploySource(change, webhook ? withListener(parts) : parts);

  const created = webhook?.result();
  return { ...parts.views.show(source, saved), ...(created && { webhook: created }) };
}

/** For a source with a webhook from its first commit on: the events of its hooks are stored for the webhook. */
const withListener = (parts: LifecycleParts): LifecycleParts => ({
  ...parts,
  settleRules: () => ({ ...parts.settleRules(), hasListeners: () => true }),
});
