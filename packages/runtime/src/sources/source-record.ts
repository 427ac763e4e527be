import { isDeepStrictEqual } from "node:util";

import type { DeployInput, UpdateInput } from "../api/api.ts";
import { newEndpointKey, newId } from "../process/ids.ts";
import type { Component, PropShape, Source } from "../model/model.ts";

/** What a deploy or an update has found out. */
export interface SourceFacts<Input> {
  readonly input: Input;
  /** With the dynamic props that the source will have. */
  readonly component: Component;
  readonly dynamicProps: readonly PropShape[];
  readonly configuredProps: Source["configuredProps"];
  readonly slug: string;
  readonly now: number;
}

/** Keys of endpoints stay over updates. */
function endpointsFor(component: Component, kept: Source["endpoints"] = {}): Source["endpoints"] {
  const props = component.shape.props.filter(({ type }) => type === "$.interface.http");
  return Object.fromEntries(
    props.map(({ name }) => [name, (Object.hasOwn(kept, name) ? kept[name] : undefined) ?? newEndpointKey()]),
  );
}

export function newSource(
  userId: string,
  { input, component, dynamicProps, configuredProps, slug, now }: SourceFacts<DeployInput>,
): Source {
  return {
    id: newId("dc"),
    userId,
    componentId: component.id,
    deploymentId: newId("d"),
    name: input.name ?? slug,
    nameSlug: slug,
    active: true,
    configuredProps,
    ...(dynamicProps.length > 0 && { dynamicProps }),
    endpoints: endpointsFor(component),
    emitOnDeploy: input.emitOnDeploy ?? true,
    settings: input.settings ?? {},
    createdAt: now,
    updatedAt: now,
  };
}

export function updatedSource(
  { dynamicProps: _before, ...current }: Source,
  { input, component, dynamicProps, configuredProps, slug, now }: SourceFacts<UpdateInput>,
): Source {
  return {
    ...current,
    ...(dynamicProps.length > 0 && { dynamicProps }),
    componentId: component.id,
    deploymentId: newId("d"),
    // An absent name on PUT is the component's slug (R089); with a clash its number is part of it, as on deploy.
    name: input.name ?? (input.replace ? slug : current.name),
    nameSlug: slug,
    active: input.active ?? (input.replace ? true : current.active),
    configuredProps,
    endpoints: endpointsFor(component, current.endpoints),
    settings: input.settings ? { ...current.settings, ...input.settings } : current.settings,
    updatedAt: now,
  };
}

/** A PATCH that changes nothing runs no hook (contract 3.3). */
export function isUnchanged(before: Source, after: Source): boolean {
  const rest = (source: Source): object => ({ ...source, deploymentId: "", updatedAt: 0 });
  return isDeepStrictEqual(rest(before), rest(after));
}
