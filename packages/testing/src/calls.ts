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

/** What is known of a request before its body is read. */
export function beginCall(request: Request, at: number): OpenCall {
  const url = new URL(request.url);
  url.hash = "";
  return {
    method: request.method,
    url: url.href,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(request.headers),
    body: undefined,
    at,
  };
}
