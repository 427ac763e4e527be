import { HarnessError } from "../harness-error.ts";
import { shown } from "../shown.ts";

/** The requests that a route answers. */
export interface RoutePattern {
  readonly text: string;
  readonly method: string;
  /** Higher for more specific patterns; the most specific route answers. */
  readonly specificity: number;
  /** The values of `:name`; undefined when the request does not match. */
  match(method: string, url: string): { readonly [name: string]: string } | undefined;
}

const form = /^(\S+)\s+(\S+)$/;
const escape = (text: string): string => text.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`);

/** `:name` matches one segment of the path, `*` matches any text. */
function pathExpression(path: string): RegExp {
  const source = path
    .split(/(\*|:[A-Za-z_]\w*)/)
    .map((piece) => (piece === "*" ? ".*" : /^:[A-Za-z_]/.test(piece) ? `(?<${piece.slice(1)}>[^/]+)` : escape(piece)))
    .join("");
  return new RegExp(`^${source}$`);
}

/** An origin may only contain `*`. */
const hostExpression = (origin: string): RegExp =>
  origin === "" ? /^/ : new RegExp(`^${origin.split("*").map(escape).join("[^/]*")}$`, "i");

const sortedQuery = (search: string): string =>
  [...new URLSearchParams(search)]
    .map((pair) => JSON.stringify(pair))
    .sort()
    .join();

/** Not with `URL`, which would escape `*` and `:name`. The origin is optional. */
function splitUrl(url: string) {
  const parts = /^(https?:\/\/[^/?#]+)?(\/[^?#]*)?(\?[^#]*)?$/i.exec(url);
  if (!parts) return undefined;
  const [, origin = "", path = "/", search] = parts;
  // Normalized like the URLs of requests: lower case, no default port.
  return { origin: origin === "" || origin.includes("*") ? origin : new URL(origin).origin, path, search };
}

/**
 * Parses `GET https://api.example.test/items/:id`. Without a query it matches every query, with one exactly that, in any
 * order of parameters. `needsOrigin`: the URL must have an origin. Throws `HarnessError` for any other text.
 */
export function parseRoute(text: string, needsOrigin = true): RoutePattern {
  const [, method = "", url = ""] = form.exec(text) ?? [];
  const parts = method === "" ? undefined : splitUrl(url);
  if (!parts || (needsOrigin && parts.origin === "")) {
    const example = needsOrigin ? "GET https://api.example.test/items" : "GET /items";
    throw new HarnessError(`A route is a method and a URL such as "${example}", got ${shown(text)}.`);
  }
  const { origin, path, search } = parts;
  const expression = pathExpression(path);
  const originExpression = hostExpression(origin);
  const wanted = search === undefined ? undefined : sortedQuery(search);
  const hasWildcards = /\*|\/:/.test(path);
  return {
    text,
    method: method.toUpperCase(),
    specificity: (search === undefined ? 0 : 4) + (hasWildcards ? 0 : 2) + (origin.includes("*") ? 0 : 1),
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
