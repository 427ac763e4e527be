import { EnvironmentError, ServiceError, UsageError } from "../errors.ts";

/** Sends a request. Rejects with `EnvironmentError` when the service is unreachable. */
export type Send = (request: Request) => Promise<Response>;

/** A client of the REST interface. Requests reject with `ServiceError` for an error response of the service. */
export interface RestClient {
  /** The URL of the service, without `/v1`. */
  readonly where: string;
  /** The `data` of the response; undefined when it has none. */
  ask<Data>(method: string, path: string, body?: object): Promise<Data>;
  /** The first `max` items of a list, over several pages; default: all. */
  list<Item>(path: string, query?: { readonly [name: string]: string }, max?: number): Promise<Item[]>;
  /** A streamed response body. */
  open(path: string, headers: { readonly [name: string]: string }): Promise<AsyncIterable<Uint8Array>>;
}

interface Answer {
  readonly data?: unknown;
  readonly page_info?: { readonly end_cursor: string; readonly total_count: number };
}

const pageSize = 100;

/** A path of segments, which are escaped. Throws `UsageError` for an empty segment and for dots. */
export function pathOf(...segments: readonly string[]): string {
  const unusable = segments.find((segment) => /^\.{0,2}$/.test(segment));
  if (unusable !== undefined) throw new UsageError(`"${unusable}" cannot be part of a URL path`);
  return segments.map((segment) => `/${encodeURIComponent(segment).replaceAll("%24", "$")}`).join("");
}

/** A client of the service at `where`. */
export function createRestClient(where: string, apiKey: string | undefined, send: Send): RestClient {
  const key = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

  async function errorOf(response: Response): Promise<Error> {
    if (response.status === 401) {
      return new UsageError(
        apiKey === undefined
          ? `${where} needs an API key: X_API_KEY or --api-key KEY; x serve prints it at the first start, x dev at each start`
          : `${where} does not know this API key; x serve prints it at the first start, x dev at each start`,
      );
    }
    const problem = (await response.json().catch(() => undefined)) as
      | ConstructorParameters<typeof ServiceError>[0]
      | undefined;
    return typeof problem?.code === "string"
      ? new ServiceError(problem)
      : new EnvironmentError(`${where} is not a service of x`);
  }

  async function request(path: string, init: RequestInit): Promise<Response> {
    const response = await send(new Request(`${where}/v1${path}`, { redirect: "manual", ...init }));
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  async function answer(method: string, path: string, body?: object): Promise<Answer> {
    const response = await request(path, {
      method,
      headers: { ...key, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status === 204) return {};
    const answered = (await response.json().catch(() => undefined)) as Answer | undefined;
    if (answered?.data === undefined) throw new EnvironmentError(`${where} is not a service of x`);
    return answered;
  }

  return {
    where,
    async ask<Data>(method: string, path: string, body?: object): Promise<Data> {
      return (await answer(method, path, body)).data as Data;
    },
    async list<Item>(path: string, query = {}, max = Number.POSITIVE_INFINITY): Promise<Item[]> {
      const found: Item[] = [];
      let after = "";
      while (found.length < max) {
        const limit = Math.min(pageSize, max - found.length);
        const search = new URLSearchParams({ ...query, limit: String(limit), ...(after !== "" && { after }) });
        const { data, page_info: page } = await answer("GET", `${path}?${search.toString()}`);
        const items = data as Item[];
        found.push(...items);
        after = page?.end_cursor ?? "";
        // A page may have fewer items than the limit because they are large; it need not be the last.
        if (items.length === 0 || after === "" || found.length >= (page?.total_count ?? 0)) break;
      }
      return found;
    },
    async open(path, headers) {
      const { body } = await request(path, { headers: { ...key, ...headers } });
      if (!body) throw new EnvironmentError(`${where} is not a service of x`);
      return body;
    },
  };
}
