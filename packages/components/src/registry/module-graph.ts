import { dirname, join } from "node:path";

import type { Declared } from "../declared/contract.ts";
import { stem } from "./names.ts";
import type { Listing } from "./scan.ts";

/** What a file uses, directly or through the files that it imports. */
export interface Uses {
  /** Slugs of apps, sorted. */
  readonly apps: readonly string[];
  /** Specifiers of packages, sorted. */
  readonly packages: readonly string[];
}

const isRelative = (specifier: string): boolean => /^\.{1,2}(?:\/|$)/.test(specifier);
const isPackage = (specifier: string): boolean => !/^(?:[./#]|node:|[a-z]+:\/\/)/.test(specifier);

/** Follows the imports of a file. `declared`: what is known of files, by absolute path. */
export function usesOf(file: string, declared: ReadonlyMap<string, Declared>, { stems }: Pick<Listing, "stems">): Uses {
  const apps = new Set<string>();
  const packages = new Set<string>();
  const seen = new Set([file]);
  for (const path of seen) {
    const { app, imports = [] } = declared.get(path) ?? {};
    if (app !== undefined) apps.add(app);
    for (const specifier of imports) {
      if (isPackage(specifier)) packages.add(specifier);
      if (!isRelative(specifier)) continue;
      const target = join(dirname(path), specifier);
      // `./acme.app` means `./acme.app.mjs`.
      const found = declared.has(target)
        ? target
        : [...(stems.get(target) ?? []), ...(stems.get(stem(target)) ?? [])][0];
      if (found !== undefined) seen.add(found);
    }
  }
  return { apps: [...apps].toSorted(), packages: [...packages].toSorted() };
}
