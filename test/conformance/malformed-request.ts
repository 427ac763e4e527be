/** A request that must be refused with this status. */
export interface Malformed {
  readonly method?: string;
  /** `ID` stands for the source, `WH` for the webhook, `IN` for the endpoint of the source. */
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  readonly status: number;
}

/** Requests by the name of what is wrong with them. */
export type MalformedByName = Readonly<Record<string, Malformed>>;

export const json = { "content-type": "application/json" };

/** A JSON body, or bytes as they are. */
export const send = (method: string, path: string, body: unknown, status = 400): Malformed => ({
  method,
  path: `/v1${path}`,
  headers: json,
  body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  status,
});
export const post = (path: string, body: unknown, status = 400): Malformed => send("POST", path, body, status);
export const put = (path: string, body: unknown, status = 400): Malformed => send("PUT", path, body, status);
export const get = (path: string, status = 400): Malformed => ({ path: `/v1${path}`, status });
export const remove = (path: string, status = 400): Malformed => ({ method: "DELETE", path: `/v1${path}`, status });
/** Parameters in the query string, no body. */
export const ask = (path: string, status = 400): Malformed => ({ method: "POST", path: `/v1${path}`, status });
