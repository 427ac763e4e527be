import { type ReadonlySignal, signal } from "@preact/signals";

import { parseLocation, type Location } from "./location.ts";

const current = signal(parseLocation(window.location.hash));

/** Where the page is. */
export const place: ReadonlySignal<Location> = current;

addEventListener("hashchange", () => {
  current.value = parseLocation(window.location.hash);
});

/** The link to a path of the inspector, such as `/sources`. */
export function linkTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return `#${path}${search === "" ? "" : `?${search}`}`;
}

/** Goes to a link; `replace` leaves no trace in the history. */
export function goTo(link: string, { replace = false } = {}): void {
  if (!replace) window.location.hash = link;
  else {
    history.replaceState(null, "", link);
    current.value = parseLocation(link);
  }
}

/** Replaces a path by a link, unless the address has changed since that path was shown. */
export function redirect(path: string, link: string): void {
  // Not `place`: it follows the address only with the next event.
  if (parseLocation(window.location.hash).path === path) goTo(link, { replace: true });
}

/** Changes values of the query in place; an empty text removes one. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const { path, query } = current.value;
  const next = { ...Object.fromEntries(query), ...changes };
  goTo(linkTo(path, Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ""))), { replace: true });
}
