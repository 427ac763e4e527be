import { resolveLimits } from "@x/model";
import { createBuilder } from "../bundle/bundler.ts";
import { usesOf } from "../registry/module-graph.ts";
import { isApp } from "../registry/names.ts";
import { scanFolder } from "../registry/scan.ts";
import type { Declared } from "./contract.ts";

/** An app whose accounts the components of a folder need. */
export interface AccountFields {
  /** The slug. */
  readonly app: string;
  /** Fields of `$auth` that its code names, sorted. */
  readonly fields: readonly string[];
  /** Number of components that use it. */
  readonly components: number;
}

const batchSize = 64;

/** What files say of apps: the fields that each app's code reads, and those that components read of their one app. */
function fieldsByApp(
  declared: ReadonlyMap<string, Declared>,
  appsOf: (file: string) => readonly string[],
): Map<string, { readonly fields: Set<string>; components: number }> {
  const found = new Map<string, { readonly fields: Set<string>; components: number }>();
  for (const [file, { kind, app, auth = [] }] of declared) {
    const apps = app === undefined ? appsOf(file) : [app];
    for (const each of apps) {
      const known = found.get(each) ?? { fields: new Set<string>(), components: 0 };
      if (kind === "component") known.components += 1;
      // With several apps nobody knows whose field it is.
      if (apps.length === 1) for (const field of auth) known.fields.add(field);
      found.set(each, known);
    }
  }
  return found;
}

/** The accounts that the components of a folder need, by parsing its files alone; apps in order of their slugs. */
export async function readAccountFields(folder: string): Promise<AccountFields[]> {
  const listing = await scanFolder(folder, () => undefined);
  const apps = [...listing.stamps.keys()].filter(isApp);
  const files = [...new Set([...listing.candidates.map(({ file }) => file), ...apps])];
  const { bundleTimeoutMs: timeoutMs, bundleMemoryBytes: memoryBytes, codeBytes } = resolveLimits();
  const builder = createBuilder({ timeoutMs, memoryBytes, codeBytes });
  const declared = new Map<string, Declared>();
  try {
    for (let at = 0; at < files.length; at += batchSize) {
      const batch = files.slice(at, at + batchSize);
      const found = await builder.declare(batch);
      for (const [index, file] of batch.entries()) declared.set(file, found[index] ?? { kind: "unknown", imports: [] });
    }
  } finally {
    await builder.close();
  }
  const byApp = fieldsByApp(declared, (file) => usesOf(file, declared, listing).apps);
  return [...byApp]
    .filter(([, { components }]) => components > 0)
    .map(([app, { fields, components }]) => ({ app, fields: [...fields].toSorted(), components }))
    .sort((a, b) => (a.app < b.app ? -1 : 1));
}
