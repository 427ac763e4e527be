import { EnvironmentError, ServiceError, UsageError } from "../errors.ts";

/** Sends a request; rejects with `EnvironmentError` when nobody answers. */
export type Send = (request: Request) => Promise<Response>;

/** A service of x, by its REST interface. Requests reject with `ServiceError` for what the service refuses. */
export interface RestClient {
  /** Without `/v1`. */
  readonly where: string;
  /** The `data` of the answer; undefined when it has none. */
  ask<Data>(method: string, path: string, body?: object): Promise<Data>;
  /** The first `most` items of a list, over as many pages as it takes; all of them without `most`. */
  list<Item>(path: string, query?: { readonly [name: string]: string }, most?: number): Promise<Item[]>;
  /** A body that has no end. */
  open(path: string, headers: { readonly [name: string]: string }): Promise<AsyncIterable<Uint8Array>>;
}

interface Answer {
  readonly data?: unknown;
  readonly page_info?: { readonly end_cursor: string; readonly total_count: number };
}

const pageSize = 100;

/** A path of segments, whatever they hold. */
export function pathOf(...segments: readonly string[]): string {
  const unusable = segments.find((segment) => /^\.{0,2}$/.test(segment));
  if (unusable !== undefined) throw new UsageError(`"${unusable}" cannot stand in the path of a URL`);
  return segments.map((segment) => `/${encodeURIComponent(segment).replaceAll("%24", "$")}`).join("");
}

/** A client of the service at `where`. */
export function createRestClient(where: string, apiKey: string | undefined, send: Send): RestClient {
  const key = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

  async function errorOf(response: Response): Promise<Error> {
    if (response.status === 401) {
      return new UsageError(
        apiKey === undefined
          ? `${where} needs an API key: X_API_KEY, or --api-key KEY; x serve prints it at its first start, x dev always`
          : `${where} does not know this API key; x serve prints the right one at its first start, x dev always`,
      );
    }
    const told = (await response.json().catch(() => undefined)) as
      | ConstructorParameters<typeof ServiceError>[0]
      | undefined;
    return typeof told?.code === "string"
      ? new ServiceError(told)
      : new EnvironmentError(`what answers at ${where} is no service of x`);
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
    const told = (await response.json().catch(() => undefined)) as Answer | undefined;
    if (told?.data === undefined) throw new EnvironmentError(`what answers at ${where} is no service of x`);
    return told;
  }

  return {
    where,
    async ask<Data>(method: string, path: string, body?: object): Promise<Data> {
      return (await answer(method, path, body)).data as Data;
    },
    async list<Item>(path: string, query = {}, most = Number.POSITIVE_INFINITY): Promise<Item[]> {
      const found: Item[] = [];
      let after = "";
      while (found.length < most) {
        const limit = Math.min(pageSize, most - found.length);
        const search = new URLSearchParams({ ...query, limit: String(limit), ...(after !== "" && { after }) });
        const { data, page_info: page } = await answer("GET", `${path}?${search.toString()}`);
        const items = data as Item[];
        found.push(...items);
        after = page?.end_cursor ?? "";
        // A page that is short of items has large ones, and is not the last for that.
        if (items.length === 0 || after === "" || found.length >= (page?.total_count ?? 0)) break;
      }
      return found;
    },
    async open(path, headers) {
      const { body } = await request(path, { headers: { ...key, ...headers } });
      if (!body) throw new EnvironmentError(`what answers at ${where} is no service of x`);
      return body;
    },
  };
}
