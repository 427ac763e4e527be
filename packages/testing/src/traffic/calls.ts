import type { PlainRequest } from "@x/runtime";

/** A request of the component to an upstream, as the test sees it. */
export interface Call {
  readonly method: string;
  /** Without the fragment. */
  readonly url: string;
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** Parsed when it is JSON, else the text; undefined when there was none. */
  readonly body: unknown;
  /** When, epoch ms on the harness's clock. */
  readonly at: number;
  /** Of the answer; absent when there was none. */
  readonly status?: number;
  /** The route that answered; absent when there is none for it. */
  readonly route?: string;
  /** Why there was no answer. */
  readonly error?: string;
}

/** A request that a route answers. */
export type RoutedCall = Call & {
  /** What `:name` stands for in the route. */
  readonly params: { readonly [name: string]: string };
  /** How often this route has been asked before. */
  readonly times: number;
};

/** Text as what it is: JSON becomes its value. */
export function readBody(text: string, type: string | null): unknown {
  if (text === "") return undefined;
  if (type !== null && !/json/.test(type) && !type.startsWith("text/plain")) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A call while it is under way. */
export type OpenCall = { -readonly [Field in keyof Call]: Call[Field] };

/** By lower-case name, in the order of names; what is given twice is joined, as in `Headers`. */
function headersOf(given: PlainRequest["headers"]): { [name: string]: string } {
  const headers = new Map<string, string>();
  for (const [name, value] of given) {
    const key = name.toLowerCase();
    const former = headers.get(key);
    headers.set(key, former === undefined ? value : `${former}, ${value}`);
  }
  return Object.fromEntries([...headers].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const decoder = new TextDecoder();

/** What is known of a request before it is answered. */
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
