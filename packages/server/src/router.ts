import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";

import type { Route } from "./route.ts";

/** What a path leads to: one route per method. */
interface Place {
  readonly path: string;
  readonly routes: Map<string, Route>;
}

/** The outcome of matching a path that exists. */
export interface Match {
  /** Absent when the path has no such method. */
  readonly route: Route | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly allowed: readonly string[];
}

const specificity = (path: string): number => -(path.match(/:/g)?.length ?? 0);

function readMatches(result: Result<Place>): { place: Place; params: Record<string, string> }[] {
  const [matches, stash] = result;
  const found: { place: Place; params: Record<string, string> }[] = [];
  for (const [place, known] of matches) {
    const params = Object.entries(known).map(([name, value]): [string, string] => [
      name,
      decodeURIComponent(typeof value === "number" ? (stash?.[value] ?? "") : value),
    ]);
    found.push({ place, params: Object.fromEntries(params) });
  }
  return found.toSorted((a, b) => specificity(b.place.path) - specificity(a.place.path));
}

/** Segments in one spelling, so that `%24errors` is `$errors` and an encoded slash stays inside its segment. */
function canonicalPath(path: string): string | undefined {
  const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  try {
    const segments = trimmed.split("/").map((segment) => encodeURIComponent(decodeURIComponent(segment)));
    return segments.join("/").replaceAll("%24", "$");
  } catch {
    return undefined;
  }
}

/** Finds the route of a path; undefined when the path does not exist in any method. */
export function createRouter(
  base: string,
  routes: readonly Route[],
): (method: string, path: string) => Match | undefined {
  const places = new Map<string, Place>();
  for (const route of routes) {
    const place = places.get(route.path) ?? { path: route.path, routes: new Map<string, Route>() };
    if (place.routes.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`);
    place.routes.set(route.method, route);
    places.set(route.path, place);
  }
  const router: Router<Place> = new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const place of places.values()) router.add("ALL", base + place.path, place);

  return (method, path) => {
    const canonical = canonicalPath(path);
    const matches = canonical === undefined ? [] : readMatches(router.match("ALL", canonical));
    const [first] = matches;
    if (!first) return undefined;
    const wanted = method === "HEAD" ? "GET" : method;
    const chosen = matches.find(({ place }) => place.routes.has(wanted)) ?? first;
    const methods = new Set(matches.flatMap(({ place }) => [...place.routes.keys()]));
    const allowed = [...methods].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
    return { route: chosen.place.routes.get(wanted), params: chosen.params, allowed };
  };
}
