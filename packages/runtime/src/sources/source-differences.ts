import { isDeepStrictEqual } from "node:util";

import type { SourceDifference, SourceView } from "../api/api.ts";
import type { Component, Json, Source } from "@x/model";

/** A source with its saved component, and as clients see it. */
export interface ComparedSource {
  readonly source: Source;
  readonly component: Component;
  readonly view: Pick<SourceView, "configuredProps">;
}

const difference = (field: string, from: Json | undefined, to: Json | undefined): SourceDifference => ({
  field,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

/** What differs between two states of a source: secrets are compared, and not shown. */
export function differencesOf(before: ComparedSource, after: ComparedSource): SourceDifference[] {
  const found: SourceDifference[] = [];
  if (before.source.componentId !== after.source.componentId)
    found.push(difference("component", before.component.shape.version, after.component.shape.version));
  if (before.source.name !== after.source.name) found.push(difference("name", before.source.name, after.source.name));
  if (before.source.active !== after.source.active)
    found.push(difference("active", before.source.active, after.source.active));
  if (!isDeepStrictEqual(before.source.settings, after.source.settings))
    found.push(difference("settings", { ...before.source.settings }, { ...after.source.settings }));
  const [old, now] = [before, after].map(({ source }) => source.configuredProps);
  for (const name of new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])) {
    if (isDeepStrictEqual(old?.[name], now?.[name])) continue;
    const shown = (view: ComparedSource["view"], values: Source["configuredProps"] | undefined): Json | undefined =>
      values?.[name] === undefined ? undefined : view.configuredProps[name];
    found.push(difference(`props.${name}`, shown(before.view, old), shown(after.view, now)));
  }
  return found;
}
