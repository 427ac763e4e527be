import type { Arguments, Flag } from "../arguments/arguments.ts";
import { environment } from "../environment.ts";
import { UsageError } from "../errors.ts";
import { checkStoreUrl } from "../serve/open-store.ts";

/** A data folder, or the URL of a schema of PostgreSQL. */
export type DataPlace = { readonly data: string } | { readonly store: string };

/** The flags that name a place. */
export const placeFlags = (folder = "the data folder (default .x)"): readonly Flag[] => [
  { name: "data", value: "DIR", about: folder },
  { name: "store", value: "URL", about: "postgres://HOST/DATABASE?schema=NAME instead of DIR (default: X_STORE)" },
];

/** Reads `--data` or `--store`; X_STORE when there is neither. Throws `UsageError` for both. */
export function readPlace(args: Arguments): DataPlace | undefined {
  const data = args.text("data");
  const flag = args.text("store");
  if (data !== undefined && flag !== undefined) throw new UsageError("Either --data or --store");
  if (data !== undefined) return { data };
  const store = flag ?? environment.store;
  return store === undefined ? undefined : { store: checkStoreUrl(store) };
}

/** The name of a place in messages; a URL may have a password. */
export function placeName(place: DataPlace): string {
  if ("data" in place) return place.data;
  const url = new URL(place.store);
  return `${url.protocol}//${url.host}${url.pathname}?schema=${url.searchParams.get("schema") ?? "x"}`;
}
