import { isDeepStrictEqual } from "node:util";

import { newEndpointKey, newId } from "../process/ids.ts";
import type { Component, Source } from "../model/model.ts";

/** What a registration makes the source of a workflow from. */
export interface Registered extends Pick<Source, "id" | "userId" | "configuredProps" | "settings"> {
  readonly component: Component;
  /** The source of an earlier registration, also by another process. */
  readonly before: Source | undefined;
  readonly now: number;
}

/** Compares all but deployment id, state and time. */
const isSame = (a: Source, b: Source): boolean => {
  const rest = (source: Source): object => ({ ...source, deploymentId: "", active: true, updatedAt: 0 });
  return isDeepStrictEqual(rest(a), rest(b));
};

/** The source of a workflow; that of the earlier registration when nothing has changed. Keys of endpoints stay. */
export function workflowSource({ component, before, now, ...given }: Registered): Source {
  const http = component.shape.props.filter(({ type }) => type === "$.interface.http");
  const next: Source = {
    ...given,
    componentId: component.id,
    deploymentId: newId("d"),
    name: component.shape.name,
    // Cannot clash with the slug of a source, which has no underscore.
    nameSlug: given.id,
    active: true,
    endpoints: Object.fromEntries(http.map(({ name }) => [name, before?.endpoints[name] ?? newEndpointKey()])),
    emitOnDeploy: true,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  return before && isSame(before, next) ? { ...before, active: true } : next;
}
