import type { Session as SignedIn } from "@x/client";

import { checkedPath } from "./api-path.ts";
import { forgetSession, keepSession, session } from "./session.ts";
import type { DataOf } from "./shapes.ts";

/** A problem with one field of a request. */
export interface FieldProblem {
  /** JSON pointer, such as `/configured_props/currency`. */
  readonly path: string;
  readonly message: string;
}

/** An answer of the REST interface other than 2xx, or no answer at all (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: { readonly errors?: readonly FieldProblem[]; readonly [name: string]: unknown };

  constructor(status: number, code: string, message: string, details: ApiError["details"] = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** The values of a query; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Where the service is mounted: the folder above that of the scripts. */
export const serviceUrl: URL = new URL(/* @vite-ignore */ "../", import.meta.url);

/** The URL of a path of the REST interface, such as `/sources`. Throws `TypeError` for a path that is not one. */
export function apiUrl(path: string, query: Query = {}): URL {
  const url = new URL(`v1${checkedPath(path)}`, serviceUrl);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/** The `Authorization` header of the session. */
export const authorization = (): Record<string, string> =>
  session.value ? { authorization: `Bearer ${session.value.key}` } : {};

async function readError(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error, code, details } = JSON.parse(text) as { error: string; code: string; details: ApiError["details"] };
    return new ApiError(response.status, code, error, details);
  } catch {
    return new ApiError(response.status, "internal", `The service answered ${response.status}.`);
  }
}

/** Ends the session when its key has been refused. */
export function endRefusedSession({ code }: { readonly code: string }, key: string | undefined): void {
  if (code === "unauthorized" && key !== undefined && key === session.value?.key)
    forgetSession("Your session has ended. Sign in again.");
}

/** Asks for a path; ends the session when its key is refused. Throws `ApiError`. */
export async function send(path: string, init: RequestInit, query?: Query): Promise<Response> {
  const { key } = session.value ?? {};
  const url = apiUrl(path, query);
  let response: Response;
  try {
    response = await fetch(url, { cache: "no-store", credentials: "omit", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "unreachable", "The service does not answer.");
  }
  if (response.ok) return response;
  const failure = await readError(response);
  endRefusedSession(failure, key);
  throw failure;
}

/** Makes a request of the REST interface. Resolves with the parsed body. Throws `ApiError`. */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const { query, body, signal } = options;
  const init: RequestInit = {
    method,
    headers: { ...authorization(), ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const response = await send(path, init, query);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Signs in with the token of a link, or an API key. Throws `ApiError`. */
export async function signIn(given: { readonly token: string } | { readonly api_key: string }): Promise<void> {
  const { data } = await request<DataOf<SignedIn>>("POST", "/sessions", { body: given });
  keepSession({
    key: data.session_key,
    expiresAt: data.expires_at * 1000,
    user: data.user,
    firstUser: data.first_user,
    manualClock: data.manual_clock,
  });
}

/** Ends the session here and at the service. */
export async function signOut(): Promise<void> {
  const ending = request("DELETE", "/sessions").catch(() => undefined);
  forgetSession();
  await ending;
}

/** What to show for any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** True for a request that was given up on purpose. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";
