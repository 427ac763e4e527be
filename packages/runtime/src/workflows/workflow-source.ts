import { isDeepStrictEqual } from "node:util";

import { newEndpointKey, newId } from "../process/ids.ts";
import type { Component, Source } from "../model/model.ts";

/** A workflow that is registered. */
export interface Registered extends Pick<Source, "id" | "userId" | "configuredProps" | "settings"> {
  readonly component: Component;
  /** Its source as another process, or an earlier registration, left it. */
  readonly before: Source | undefined;
  readonly now: number;
}

/** Everything but what says when and in which state. */
const isSame = (a: Source, b: Source): boolean => {
  const rest = (source: Source): object => ({ ...source, deploymentId: "", active: true, updatedAt: 0 });
  return isDeepStrictEqual(rest(a), rest(b));
};

/** The source that a workflow is; the one from before where nothing has changed. Keys of endpoints stay. */
export function workflowSource({ component, before, now, ...given }: Registered): Source {
  const http = component.shape.props.filter(({ type }) => type === "$.interface.http");
  const next: Source = {
    ...given,
    componentId: component.id,
    deploymentId: newId("d"),
    name: component.shape.name,
    // No slug of a source has an underscore: the two never meet.
    nameSlug: given.id,
    active: true,
    endpoints: Object.fromEntries(http.map(({ name }) => [name, before?.endpoints[name] ?? newEndpointKey()])),
    emitOnDeploy: true,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  return before && isSame(before, next) ? { ...before, active: true } : next;
}
