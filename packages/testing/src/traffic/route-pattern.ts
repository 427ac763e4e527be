import { HarnessError } from "../harness-error.ts";
import { shown } from "../shown.ts";

/** Which requests a route is for. */
export interface RoutePattern {
  readonly text: string;
  readonly method: string;
  /** More for patterns that say more; the route that says most answers. */
  readonly weight: number;
  /** What `:name` stands for; undefined when the request is another. */
  match(method: string, url: string): { readonly [name: string]: string } | undefined;
}

const form = /^(\S+)\s+(\S+)$/;
const escape = (text: string): string => text.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`);

/** `:name` is one part of a path, `*` is anything. */
function pathExpression(path: string): RegExp {
  const source = path
    .split(/(\*|:[A-Za-z_]\w*)/)
    .map((piece) => (piece === "*" ? ".*" : /^:[A-Za-z_]/.test(piece) ? `(?<${piece.slice(1)}>[^/]+)` : escape(piece)))
    .join("");
  return new RegExp(`^${source}$`);
}

/** In an origin only `*` stands for something. */
const hostExpression = (origin: string): RegExp =>
  origin === "" ? /^/ : new RegExp(`^${origin.split("*").map(escape).join("[^/]*")}$`, "i");

const sortedQuery = (search: string): string =>
  [...new URLSearchParams(search)]
    .map((pair) => JSON.stringify(pair))
    .sort()
    .join();

interface UrlParts {
  readonly origin: string;
  readonly path: string;
  readonly search: string | undefined;
}

/** By hand, because `*` and `:name` must not be escaped. An origin may be left out. */
function splitUrl(url: string): UrlParts | undefined {
  const parts = /^(https?:\/\/[^/?#]+)?(\/[^?#]*)?(\?[^#]*)?$/i.exec(url);
  if (!parts) return undefined;
  const [, origin = "", path = "/", search] = parts;
  // As URLs of requests are written: lower case, no default port.
  return { origin: origin === "" || origin.includes("*") ? origin : new URL(origin).origin, path, search };
}

/**
 * Reads `GET https://api.example.test/items/:id`. Without a query any is meant, with one exactly that; the order of its
 * parts does not matter. `isWhole` asks for the origin too. Throws for anything else.
 */
export function parseRoute(text: string, isWhole = true): RoutePattern {
  const [, method = "", url = ""] = form.exec(text) ?? [];
  const parts = method === "" ? undefined : splitUrl(url);
  if (!parts || (isWhole && parts.origin === "")) {
    const example = isWhole ? "GET https://api.example.test/items" : "GET /items";
    throw new HarnessError(`A route is a method and a URL such as "${example}", got ${shown(text)}.`);
  }
  const { origin, path, search } = parts;
  const expression = pathExpression(path);
  const originExpression = hostExpression(origin);
  const wanted = search === undefined ? undefined : sortedQuery(search);
  const isOpen = /\*|\/:/.test(path);
  return {
    text,
    method: method.toUpperCase(),
    weight: (search === undefined ? 0 : 4) + (isOpen ? 0 : 2) + (origin.includes("*") ? 0 : 1),
    match(givenMethod, givenUrl) {
      if (method !== "*" && method.toUpperCase() !== givenMethod.toUpperCase()) return undefined;
      const given = new URL(givenUrl);
      if (!originExpression.test(given.origin)) return undefined;
      if (wanted !== undefined && wanted !== sortedQuery(given.search)) return undefined;
      const found = expression.exec(given.pathname);
      return found ? { ...found.groups } : undefined;
    },
  };
}
