import type { ComponentShape, InvokeInput, Json, SourceView, WorkflowView } from "@x/runtime";

import { propsWithoutAccount } from "../given/given-accounts.ts";
import { endpointUrls } from "../serve/deploy-files.ts";
import { startOf } from "../run/http-event.ts";

/** What a file has become: a source, or a workflow. */
export interface DevEmitter {
  readonly id: string;
  readonly name: string;
  readonly deploymentId: string;
  /** URLs. */
  readonly endpoints: readonly string[];
  readonly hasTimer: boolean;
  /** Slugs of apps whose props have no account, so that `$auth` is empty. */
  readonly appsWithoutAccount: readonly string[];
  /** What the component declares; a workflow's is not known. */
  readonly shape: ComponentShape | undefined;
  /** What a run gets; without an event what its interfaces suggest. */
  start(event: Json | undefined): InvokeInput;
}

export const sourceEmitter = (view: SourceView): DevEmitter => ({
  id: view.source.id,
  name: view.source.name,
  deploymentId: view.source.deploymentId,
  endpoints: endpointUrls(view),
  hasTimer: view.component.shape.props.some(({ type }) => type === "$.interface.timer"),
  appsWithoutAccount: propsWithoutAccount(view.component.shape, view.configuredProps).flatMap(({ app }) => app ?? []),
  shape: view.component.shape,
  start: (event) => startOf(view.component.shape, event),
});

export const workflowEmitter = ({ id, name, deploymentId, endpointUrl }: WorkflowView): DevEmitter => ({
  id,
  name,
  deploymentId,
  endpoints: endpointUrl === undefined ? [] : [endpointUrl],
  hasTimer: false,
  appsWithoutAccount: [],
  shape: undefined,
  start: (event) => (event === undefined ? {} : { event }),
});

/** True when the key is that of an endpoint of it. */
export const hasEndpoint = ({ endpoints }: DevEmitter, key: string): boolean =>
  endpoints.some((url) => url.endsWith(`/in/${key}`));
