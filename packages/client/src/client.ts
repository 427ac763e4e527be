import { type FollowOptions, follow } from "./follow.ts";
import { readError, RestError, unexpectedAnswer } from "./rest-error.ts";
import type { AnswerOf, Given, ListRoute, PartsOf, RequestParts, RouteName, StreamRoute, TextRoute } from "./routes.ts";
import type { ServerEvent } from "./server-events.ts";

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:7777`, with the path that it is mounted at and without `/v1`. */
  readonly url: string | URL;
  /** The key that requests are sent with; a function is asked for each. Default: none. */
  readonly apiKey?: string | (() => string | undefined) | undefined;
  /** Sends requests. Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A client of the REST interface. Requests reject with `RestError`. */
export interface Client {
  /** Makes a request. Resolves with the parsed answer; undefined for 204. */
  request<const Name extends Exclude<RouteName, StreamRoute>>(
    route: Name,
    ...given: Given<PartsOf<Name>>
  ): Promise<AnswerOf<Name>>;
  /** The items of a list, over all its pages. Ask for 100 a page with `query: { limit: 100 }`. */
  list<const Name extends ListRoute>(
    route: Name,
    ...given: Given<PartsOf<Name>>
  ): AsyncGenerator<AnswerOf<Name>["data"][number], void>;
  /** The pages of a list; with `query.before` alone, those before it, the nearest one first. */
  pages<const Name extends ListRoute>(
    route: Name,
    ...given: Given<PartsOf<Name>>
  ): AsyncGenerator<AnswerOf<Name>, void>;
  /**
   * The events of a stream, until the signal or the end of the loop. Connects again when a connection ends, without missed
   * or repeated events. Rejects for an answer of 4xx other than 408 and 429.
   */
  follow<const Name extends StreamRoute>(
    route: Name,
    parts: PartsOf<Name> & FollowOptions,
  ): AsyncGenerator<ServerEvent, void>;
}

interface Page {
  readonly page_info?: { readonly start_cursor: string; readonly end_cursor: string; readonly total_count: number };
  readonly data: readonly unknown[];
}

/** Routes that do not answer with JSON. */
const textRoutes: { readonly [Name in TextRoute]: true } = { "GET /executions/{id}/test": true };

/** Throws `TypeError` for a segment that would change the path. */
function segment(name: string, value: string | undefined): string {
  if (value === undefined || /^\.{0,2}$/.test(value))
    throw new TypeError(`${name}: ${JSON.stringify(value)} cannot be part of a URL path`);
  return encodeURIComponent(value);
}

/** The URL of a path of the REST interface. */
function urlOf(base: string, path: string, { path: params = {}, query = {} }: RequestParts): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
  const url = new URL(`${base}/v1${filled}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/** A client of the service at a URL. */
export function createClient({ url, apiKey, fetch: send = (request) => fetch(request) }: ClientOptions): Client {
  const base = String(url).replace(/(?<!\/)\/+$/, "");

  async function open(route: string, parts: RequestParts): Promise<Response> {
    const [method = "", path = ""] = route.split(" ");
    const key = typeof apiKey === "function" ? apiKey() : apiKey;
    const headers = new Headers(key === undefined ? {} : { authorization: `Bearer ${key}` });
    for (const [name, value] of Object.entries(parts.headers ?? {})) if (value !== undefined) headers.set(name, value);
    const body = parts.body === undefined ? undefined : JSON.stringify(parts.body);
    if (body !== undefined) headers.set("content-type", "application/json");
    const { signal } = parts;
    const request = new Request(urlOf(base, path, parts), {
      method,
      headers,
      // A redirect would lead to another program.
      redirect: "manual",
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    let response: Response;
    try {
      response = await send(request);
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new RestError(0, { error: `${base} does not answer`, code: "unreachable" }, { cause: error });
    }
    if (!response.ok) throw await readError(response);
    return response;
  }

  async function read(route: string, parts: RequestParts): Promise<unknown> {
    const response = await open(route, parts);
    if (response.status === 204) return undefined;
    if (Object.hasOwn(textRoutes, route)) return response.text();
    const answer: unknown = await response.json().catch(() => undefined);
    if (typeof answer !== "object" || answer === null) throw unexpectedAnswer(response.status);
    return answer;
  }

  async function* pages(route: string, parts: RequestParts): AsyncGenerator<Page, void> {
    let { query = {} } = parts;
    const goesBack = query["before"] !== undefined && query["after"] === undefined;
    for (let seen = 0; ;) {
      const page = (await read(route, { ...parts, query })) as Page;
      if (!Array.isArray(page.data) || !page.page_info) throw unexpectedAnswer(200);
      yield page;
      seen += page.data.length;
      const { start_cursor: before, end_cursor: after, total_count: all } = page.page_info;
      // A page may have fewer items than its limit because they are large; it need not be the last.
      if (page.data.length === 0 || after === "" || seen >= all) return;
      query = goesBack ? { ...query, before } : { ...query, after };
    }
  }

  async function* list(route: string, parts: RequestParts): AsyncGenerator<unknown, void> {
    for await (const { data } of pages(route, parts)) yield* data;
  }

  const client = {
    request: (route: string, parts: RequestParts = {}) => read(route, parts),
    pages: (route: string, parts: RequestParts = {}) => pages(route, parts),
    list: (route: string, parts: RequestParts = {}) => list(route, parts),
    follow: (route: string, { lastEventId, onState, ...parts }: RequestParts & FollowOptions) =>
      follow({
        open: (after, signal) =>
          open(route, { ...parts, signal, headers: { ...parts.headers, ...(after && { "last-event-id": after }) } }),
        signal: parts.signal,
        lastEventId,
        onState,
      }),
  };
  // The table of routes says what each takes and answers.
  return client as unknown as Client;
}
