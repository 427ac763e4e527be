import { isDeepStrictEqual } from "node:util";

import type { DeployInput, Source as ShownSource, UpdateInput } from "../api/api.ts";
import { newEndpointKey, newId, type Component, type PropShape, type Source } from "@x/model";

/** What a deploy or an update makes a source from. */
export interface SourceFacts<Input> {
  readonly input: Input;
  /** With the dynamic props of the source. */
  readonly component: Component;
  readonly dynamicProps: readonly PropShape[];
  readonly configuredProps: Source["configuredProps"];
  readonly slug: string;
  /** Of the URLs of endpoints. */
  readonly endpointBase: string;
  readonly now: number;
}

/** An update keeps the keys of endpoints. */
function endpointsFor(component: Component, known: Source["endpoints"] = {}): Source["endpoints"] {
  const props = component.shape.props.filter(({ type }) => type === "$.interface.http");
  return Object.fromEntries(
    props.map(({ name }) => [name, (Object.hasOwn(known, name) ? known[name] : undefined) ?? newEndpointKey()]),
  );
}

/** What `activate` could register elsewhere. */
function registered({ shape }: Component, endpointBase: string): Pick<Source, "endpointBase"> {
  const hasEndpoint = shape.props.some(({ type }) => type === "$.interface.http");
  return hasEndpoint && shape.hooks.includes("activate") ? { endpointBase } : {};
}

/** True when `activate` registered URLs that lead here no more. */
export const isEndpointChanged = ({ active, endpointBase }: Source, base: string): boolean =>
  active && endpointBase !== undefined && endpointBase !== base;

export function newSource(
  id: string,
  userId: string,
  { input, component, dynamicProps, configuredProps, slug, endpointBase, now }: SourceFacts<DeployInput>,
): Source {
  return {
    id,
    userId,
    componentId: component.id,
    deploymentId: newId("d"),
    name: input.name ?? slug,
    nameSlug: slug,
    active: true,
    configuredProps,
    ...(dynamicProps.length > 0 && { dynamicProps }),
    endpoints: endpointsFor(component),
    ...(input.restored === undefined && registered(component, endpointBase)),
    emitOnDeploy: input.emitOnDeploy ?? true,
    settings: input.settings ?? {},
    createdAt: now,
    updatedAt: now,
  };
}

export function updatedSource(
  { dynamicProps: _before, endpointBase: _base, ...current }: Source,
  { input, component, dynamicProps, configuredProps, slug, endpointBase, now }: SourceFacts<UpdateInput>,
): Source {
  return {
    ...current,
    ...(dynamicProps.length > 0 && { dynamicProps }),
    componentId: component.id,
    deploymentId: newId("d"),
    // A PUT without a name takes the component's slug, as a deploy does.
    name: input.name ?? (input.replace ? slug : current.name),
    nameSlug: slug,
    active: input.active ?? (input.replace ? true : current.active),
    configuredProps,
    endpoints: endpointsFor(component, current.endpoints),
    ...registered(component, endpointBase),
    settings: input.settings ? { ...current.settings, ...input.settings } : current.settings,
    updatedAt: now,
  };
}

/** True when an update changes nothing; then it runs no hook. */
export function isUnchanged(before: Source, after: Source): boolean {
  const rest = (source: Source): object => ({ ...source, deploymentId: "", updatedAt: 0 });
  return isDeepStrictEqual(rest(before), rest(after));
}

/** The source as clients see it: with the URLs of its endpoints. */
export const shownSource = (source: Source, endpointUrl: (key: string) => string): ShownSource => ({
  ...source,
  endpoints: Object.fromEntries(Object.entries(source.endpoints).map(([prop, key]) => [prop, endpointUrl(key)])),
});
