import { join } from "node:path";

import type { Json, Source } from "@x/client";

import { type ComponentBody, ofFile, readComponentBody } from "../deploy/component-body.ts";
import type { ConfiguredSource } from "./config.ts";
import type { ConfigFile } from "./config-file.ts";

/** The members of a request that name the component of a source. */
export type SourceReference = ComponentBody | { readonly key: string };

/** Reads the component of each source, by the source's name. */
export async function readReferences({ config, folder }: ConfigFile): Promise<ReadonlyMap<string, SourceReference>> {
  const references = new Map<string, SourceReference>();
  for (const { name, file, root, key = "" } of config.sources) {
    if (file === undefined) references.set(name, { key });
    else {
      const reading = readComponentBody(join(folder, file), root === undefined ? undefined : join(folder, root));
      const body = await reading.catch((error: unknown) => {
        throw ofFile(error, file);
      });
      references.set(name, body);
    }
  }
  return references;
}

/** Whether a value was given, and is not the endpoint or the db that a source has by itself. */
const isGiven = (value: Json): boolean =>
  typeof value !== "object" ||
  value === null ||
  Array.isArray(value) ||
  !("endpoint_url" in value || value["type"] === "$.service.db");

/** The values of a source, with null for each that it has and the config has not. */
export function wantedProps({ props }: ConfiguredSource, found: Source | undefined): { [prop: string]: Json } {
  const others = Object.entries(found?.configured_props ?? {}).filter(
    ([name, value]) => !Object.hasOwn(props, name) && isGiven(value),
  );
  return { ...Object.fromEntries(others.map(([name]) => [name, null])), ...props };
}

/** The accounts of a source by their ids; `missing` are the apps whose accounts are still to be made. */
export function wantedAccounts(
  { accounts }: ConfiguredSource,
  idOf: (nameOrId: string) => string | undefined,
): { readonly ids: { readonly [app: string]: string }; readonly missing: readonly string[] } {
  const entries = Object.entries(accounts).map(([app, name]) => [app, idOf(name)] as const);
  return {
    ids: Object.fromEntries(entries.flatMap(([app, id]) => (id === undefined ? [] : [[app, id]]))),
    missing: entries.flatMap(([app, id]) => (id === undefined ? [app] : [])),
  };
}
