import type { ComponentShape, SourceView, WorkflowView } from "@x/runtime";

import { propsWithoutAccount } from "../arguments/accounts-file.ts";
import { endpointUrls } from "../serve/deploy-files.ts";

/** The events of an app that a source listens to. */
export interface AppHook {
  readonly app: string;
  /** None: every event. */
  readonly names: readonly string[];
  /** Null while the app has no endpoint. */
  readonly endpointUrl: string | null;
}

const appHooksOf = ({ source, configuredProps }: SourceView): AppHook[] =>
  Object.entries(source.appEvents ?? {}).map(([prop, { app, names }]) => {
    const { endpoint_url: url } = configuredProps[prop] as { readonly endpoint_url: string | null };
    return { app, names, endpointUrl: url };
  });

/** The source or workflow of a file. */
export interface DevEmitter {
  readonly id: string;
  readonly name: string;
  readonly deploymentId: string;
  /** URLs. */
  readonly endpoints: readonly string[];
  readonly hasTimer: boolean;
  /** Slugs of apps whose props have no account, so that `$auth` is empty. */
  readonly appsWithoutAccount: readonly string[];
  readonly appHooks: readonly AppHook[];
  /** The component's declaration; undefined for a workflow. */
  readonly shape: ComponentShape | undefined;
}

export const sourceEmitter = (view: SourceView): DevEmitter => ({
  id: view.source.id,
  name: view.source.name,
  deploymentId: view.source.deploymentId,
  endpoints: endpointUrls(view),
  hasTimer: view.component.shape.props.some(({ type }) => type === "$.interface.timer"),
  appsWithoutAccount: propsWithoutAccount(view.component.shape, view.configuredProps).flatMap(({ app }) => app ?? []),
  appHooks: appHooksOf(view),
  shape: view.component.shape,
});

export const workflowEmitter = ({ id, name, deploymentId, endpointUrl }: WorkflowView): DevEmitter => ({
  id,
  name,
  deploymentId,
  endpoints: endpointUrl === undefined ? [] : [endpointUrl],
  hasTimer: false,
  appsWithoutAccount: [],
  appHooks: [],
  shape: undefined,
});

/** True when its hooks may have registered its endpoints at a service. */
export const hasRegistered = ({ endpoints, shape }: DevEmitter): boolean =>
  endpoints.length > 0 && shape?.hooks.includes("deactivate") === true;

/** True when one of its endpoints has this key. */
export const hasEndpoint = ({ endpoints }: DevEmitter, key: string): boolean =>
  endpoints.some((url) => url.endsWith(`/in/${key}`));
