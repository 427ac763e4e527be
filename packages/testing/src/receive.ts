import { type AppEventInput, type Json, readReaderResult } from "@x/runtime";

/** The request that a reader gets; what is absent is a POST to / with an empty JSON body. */
export interface ReaderRequest {
  readonly method?: string;
  readonly path?: string;
  readonly query?: { readonly [name: string]: string };
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: string };
  /** Text is sent as it is, another value as JSON. */
  readonly body?: Json;
  readonly verified?: boolean;
  /** `this.secrets`. */
  readonly secrets?: readonly string[];
}

/** What a reader makes of a request. */
export interface Received {
  readonly events: readonly AppEventInput[];
  readonly respond: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
  } | null;
}

/** A module with a reader. */
interface ReaderModule {
  receive(request: object): unknown;
}

/**
 * Calls a reader, the default export of its module, with a request, in the test's process. Rejects with what it throws, and
 * with `invalid_parameter` for a result that is none.
 */
export async function receive(reader: ReaderModule, given: ReaderRequest = {}): Promise<Received> {
  const { method = "POST", path = "/", query = {}, headers = {}, body = {}, verified = true, secrets = [] } = given;
  const bodyRaw = typeof body === "string" ? body : JSON.stringify(body);
  const request = { method, path, query, headers, body, bodyRaw, verified };
  const result: unknown = await reader.receive.call({ ...reader, secrets } as ReaderModule, request);
  const { events, respond } = readReaderResult(result === undefined ? undefined : JSON.stringify(result));
  const answer = respond && {
    status: respond.status,
    headers: respond.headers,
    body: new TextDecoder().decode(respond.body),
  };
  return { events, respond: answer ?? null };
}
