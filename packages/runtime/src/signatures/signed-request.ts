import type { EndpointRequest } from "../api/api.ts";
import type { Place } from "./scheme.ts";

/** The parts of a request that can be signed. `url`: as it was registered, with the query. */
export type SignedRequest = Pick<EndpointRequest, "method" | "url" | "search" | "headers" | "body">;

/** Reads parts of a request, the JSON body only once. */
export interface RequestParts {
  readonly request: SignedRequest;
  /** All values of a header, by its name in lower case. */
  headers(name: string): readonly string[];
  /** The JSON body; undefined when it is none. */
  json(): unknown;
  /** A member of the JSON body as text, such as `signature.token`. */
  member(path: string): string | undefined;
  /** The texts at a place. `isRepeated`: its header was sent twice. */
  at(place: Place): { readonly texts: readonly string[]; readonly isRepeated: boolean };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as { readonly [name: string]: unknown })[name]
    : undefined;

const asText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;

/** Most items of a list that are looked at. */
const maxItems = 16;

export function requestParts(request: SignedRequest): RequestParts {
  let parsed: { readonly value: unknown } | undefined;
  function parse(): unknown {
    try {
      return JSON.parse(Buffer.from(request.body).toString("utf8"));
    } catch {
      return undefined;
    }
  }
  const json = (): unknown => (parsed ??= { value: parse() }).value;
  const headers = (name: string): string[] =>
    request.headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value.trim());
  const member = (path: string): string | undefined => asText(path.split(".").reduce(memberOf, json()));

  return {
    request,
    headers,
    json,
    member,
    at({ header, member: path, separator, prefix = "" }) {
      const found = header === undefined ? [member(path ?? "") ?? []].flat() : headers(header);
      const items = separator === undefined ? found : found.flatMap((each) => each.split(separator, maxItems));
      const texts = items
        .map((each) => each.trim())
        .filter((each) => each.startsWith(prefix))
        .map((each) => each.slice(prefix.length));
      return { texts, isRepeated: found.length > 1 };
    },
  };
}
