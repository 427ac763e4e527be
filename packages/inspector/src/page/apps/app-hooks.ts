import type { Source } from "@x/client";

import type { PropShape } from "../props-form/prop-shape.ts";

/** A prop of a source that gets events of an app. */
export interface AppHook {
  readonly prop: string;
  /** The slug of the app. */
  readonly app: string;
  /** None: every event. */
  readonly names: readonly string[];
  /** Null without an endpoint of the user's. */
  readonly url: string | null;
  /** Null without an account. */
  readonly account: string | null;
}

/** What is read of the props of a component. */
export type HookProp = Pick<PropShape, "name" | "type" | "app"> & { readonly appProp?: string };

interface HookValue {
  readonly event_names: readonly string[];
  readonly endpoint_url: string | null;
}

/** True for the configured value of a prop that gets events of an app. */
export const isAppHook = (value: unknown): value is HookValue =>
  typeof value === "object" && value !== null && "endpoint_url" in value && "event_names" in value;

/** The props of a source that get events of apps. */
export function appHooksOf(configured: Source["configured_props"], props: readonly HookProp[]): readonly AppHook[] {
  const apps = props.filter(({ type }) => type === "app");
  return props.flatMap(({ name: prop, type, appProp }) => {
    const value: unknown = configured[prop];
    if (type !== "$.interface.apphook" || !isAppHook(value)) return [];
    // It names a prop, or its app.
    const from = apps.find(({ name }) => name === appProp) ?? apps.find(({ app }) => app === appProp);
    if (from?.app === undefined) return [];
    const chosen = configured[from.name] as { readonly authProvisionId?: string } | null | undefined;
    const account = chosen?.authProvisionId ?? null;
    return [{ prop, app: from.app, names: value.event_names, url: value.endpoint_url, account }];
  });
}
