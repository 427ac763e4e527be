import { type ReceivedRequest, type RequestEvent, requestOf } from "./request-text.ts";
import { schemeOf, signatureHeaders } from "./signature.ts";

/** A request that is being written. */
export interface RequestDraft {
  readonly method: string;
  /** Below the endpoint, with its query. */
  readonly path: string;
  /** One `name: value` per line. */
  readonly headers: string;
  readonly body: string;
  /** The scheme by which it is signed; empty for none. */
  readonly scheme: string;
}

export const emptyDraft: RequestDraft = {
  method: "POST",
  path: "/",
  headers: "content-type: application/json",
  body: "{}",
  scheme: "",
};

/** Headers of a connection, and those that are made anew. */
const madeAnew = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|keep-alive|expect)$/i;

const pathWithQuery = ({ path = "/", query = {} }: RequestEvent): string => {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  ).toString();
  return search === "" ? path : `${path}?${search}`;
};

/** The request in an event to edit; undefined for an event that is none, or whose body is not text. */
export function draftOf(event: RequestEvent | null | undefined): RequestDraft | undefined {
  if (typeof event?.method !== "string" || event.body_b64 !== undefined) return undefined;
  const { method, headers, body = "" } = requestOf(event);
  const shown = headers.filter(([name = ""]) => !madeAnew.test(name));
  return {
    method,
    path: pathWithQuery(event),
    headers: shown.map(([name, value]) => `${name}: ${value}`).join("\n"),
    body,
    scheme: schemeOf(headers.map(([name = ""]) => name)),
  };
}

/** The headers of a draft by lower-case name, repeated ones joined. Throws for a line without a colon. */
function headersOf(lines: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines.split("\n").filter((each) => each.trim() !== "")) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error(`A header is "name: value", but there is "${line}"`);
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** The event of a draft, signed with a secret unless that is empty: `body` is read from `bodyRaw` by the service. */
export async function eventOf(draft: RequestDraft, secret: string, now: number): Promise<object> {
  const { method, path, body, scheme } = draft;
  const [name = "/", search = ""] = path.split(/\?(.*)/s);
  const query: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(search))
    query[key] = query[key] === undefined ? value : [query[key], value].flat();
  const signed = scheme === "" || secret === "" ? {} : await signatureHeaders(scheme, secret, { body, now });
  return {
    method: method.trim().toUpperCase(),
    path: name.startsWith("/") ? name : `/${name}`,
    query,
    headers: { ...headersOf(draft.headers), ...signed },
    bodyRaw: body,
  };
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command line that sends a received request again. */
export function curlOf({ method, target, headers, body = "" }: ReceivedRequest, endpointUrl: string): string {
  const lines = headers
    .filter(([name = ""]) => !madeAnew.test(name))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const url = new URL(target, endpointUrl).href;
  return ["curl", `-X ${method}`, ...lines, ...(body === "" ? [] : [`--data-raw ${quote(body)}`]), quote(url)].join(
    " ",
  );
}
