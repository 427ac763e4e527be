import type { PlainRequest } from "@x/runtime";

/** A request of the component to an upstream. */
export interface Call {
  readonly method: string;
  /** Without the fragment. */
  readonly url: string;
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The value of JSON, else the text; undefined for an empty body. */
  readonly body: unknown;
  /** Epoch ms on the test's clock. */
  readonly at: number;
  /** The status of the answer; absent without one. */
  readonly status?: number;
  /** The route that answered; absent when none matched. */
  readonly route?: string;
  /** The reason why there was no answer. */
  readonly error?: string;
}

/** A request as a route's function gets it. */
export type RoutedCall = Call & {
  /** The values of `:name` in the route. */
  readonly params: { readonly [name: string]: string };
  /** The number of earlier requests to this route. */
  readonly times: number;
};

/** The value of JSON, else the text; undefined when it is empty. `type` is the content type. */
export function readBody(text: string, type: string | null): unknown {
  if (text === "") return undefined;
  if (type !== null && !/json/.test(type) && !type.startsWith("text/plain")) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A call that has no answer yet. */
export type OpenCall = { -readonly [Field in keyof Call]: Call[Field] };

/** Headers by lower-case name, sorted; repeated ones are joined with a comma, as in `Headers`. */
export function headersOf(given: PlainRequest["headers"]): { [name: string]: string } {
  const headers = new Map<string, string>();
  for (const [name, value] of given) {
    const key = name.toLowerCase();
    const earlier = headers.get(key);
    headers.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries([...headers].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const decoder = new TextDecoder();

/** The record of a request before its answer. `at` is epoch ms. */
export function beginCall({ method, url: text, headers: given, body }: PlainRequest, at: number): OpenCall {
  const url = new URL(text);
  url.hash = "";
  const headers = headersOf(given);
  return {
    method,
    url: url.href,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    body: body && readBody(decoder.decode(body), headers["content-type"] ?? null),
    at,
  };
}
