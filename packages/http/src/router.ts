import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";

/** What a request is matched with. */
export interface Routed {
  readonly method: string;
  /** `:name` for parameters. */
  readonly path: string;
}

/** The routes of a path, by method. */
interface PathRoutes<Route> {
  readonly path: string;
  readonly routes: Map<string, Route>;
}

/** The match of an existing path. */
export interface Match<Route> {
  /** Absent when the path does not have the method. */
  readonly route: Route | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly allowed: readonly string[];
}

const specificity = (path: string): number => -(path.match(/:/g)?.length ?? 0);

interface Found<Route> {
  readonly entry: PathRoutes<Route>;
  readonly params: Record<string, string>;
}

function readMatches<Route>(result: Result<PathRoutes<Route>>): Found<Route>[] {
  const [matches, stash] = result;
  const found: Found<Route>[] = [];
  for (const [entry, known] of matches) {
    const params = Object.entries(known).map(([name, value]): [string, string] => [
      name,
      decodeURIComponent(typeof value === "number" ? (stash?.[value] ?? "") : value),
    ]);
    found.push({ entry, params: Object.fromEntries(params) });
  }
  return found.toSorted((a, b) => specificity(b.entry.path) - specificity(a.entry.path));
}

/** Decoded segments: `%24errors` is `$errors`, and an encoded slash does not split a segment. */
function canonicalPath(path: string): string | undefined {
  const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  try {
    const segments = trimmed.split("/").map((segment) => encodeURIComponent(decodeURIComponent(segment)));
    return segments.join("/").replaceAll("%24", "$");
  } catch {
    return undefined;
  }
}

/** Finds the route of a path; undefined when the path does not exist. */
export type FindRoute<Route> = (method: string, path: string) => Match<Route> | undefined;

/** A table of routes, below a base path. */
export function createRouter<Route extends Routed>(base: string, routes: readonly Route[]): FindRoute<Route> {
  const byPath = new Map<string, PathRoutes<Route>>();
  for (const route of routes) {
    const entry = byPath.get(route.path) ?? { path: route.path, routes: new Map<string, Route>() };
    if (entry.routes.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`);
    entry.routes.set(route.method, route);
    byPath.set(route.path, entry);
  }
  const router: Router<PathRoutes<Route>> = new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const entry of byPath.values()) router.add("ALL", base + entry.path, entry);

  return (method, path) => {
    const canonical = canonicalPath(path);
    const matches = canonical === undefined ? [] : readMatches(router.match("ALL", canonical));
    const [first] = matches;
    if (!first) return undefined;
    const wanted = method === "HEAD" ? "GET" : method;
    const chosen = matches.find(({ entry }) => entry.routes.has(wanted)) ?? first;
    const methods = new Set(matches.flatMap(({ entry }) => [...entry.routes.keys()]));
    const allowed = [...methods].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
    return { route: chosen.entry.routes.get(wanted), params: chosen.params, allowed };
  };
}
