import { fetch } from "./fetch.ts";
import { Headers } from "./headers.ts";
import { btoa, TextEncoder } from "./text.ts";
import { URL, URLSearchParams } from "./url.ts";

/** A header, parameter or field of a form; it can be disabled. */
interface Pair {
  readonly name?: unknown;
  readonly value?: unknown;
  readonly disabled?: unknown;
}

/** Value of a prop of type `http_request`. */
export interface HttpRequestValue {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: readonly Pair[] | Readonly<Record<string, unknown>>;
  readonly params?: readonly Pair[] | Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly auth?: {
    readonly type?: string;
    readonly username?: string;
    readonly password?: string;
    readonly token?: string;
  };
}

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as its value, anything else as text. */
  readonly data: unknown;
}

const text = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

function pairsOf(given: HttpRequestValue["headers"] | undefined): [string, string][] {
  if (typeof given !== "object" || given === null) return [];
  if (!Array.isArray(given)) return Object.entries(given).map(([name, value]) => [name, text(value)]);
  const pairs: readonly Pair[] = given;
  return pairs
    .filter(({ name, disabled }) => name !== undefined && name !== "" && disabled !== true)
    .map(({ name, value }) => [text(name), text(value ?? "")]);
}

/** The text of the body and its default content type. */
function bodyOf(body: unknown): { readonly text: string; readonly type: string } | undefined {
  if (body === undefined || body === null || body === "") return undefined;
  if (typeof body !== "object") return { text: text(body), type: "text/plain;charset=UTF-8" };
  const { raw, fields, contentType } = body as { raw?: unknown; fields?: readonly Pair[]; contentType?: unknown };
  const type = typeof contentType === "string" ? contentType : "application/json";
  if (raw !== undefined) return raw === "" ? undefined : { text: text(raw), type };
  if (fields === undefined) return { text: JSON.stringify(body), type: "application/json" };
  const pairs = pairsOf(fields);
  if (pairs.length === 0) return undefined;
  return type === "application/x-www-form-urlencoded"
    ? { text: new URLSearchParams(pairs).toString(), type }
    : { text: JSON.stringify(Object.fromEntries(pairs)), type };
}

function authorization({ auth }: HttpRequestValue): string | undefined {
  if (auth?.type === "basic") {
    const both = new TextEncoder().encode(`${auth.username ?? ""}:${auth.password ?? ""}`);
    return `Basic ${btoa(String.fromCharCode(...both))}`;
  }
  return auth?.type === "bearer" && auth.token !== undefined ? `Bearer ${auth.token}` : undefined;
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
}

/** Sends the request of a prop. Rejects unless the status is 2xx; the error has the `response`. */
async function execute(value: HttpRequestValue): Promise<Answer> {
  const url = new URL(value.url ?? "");
  for (const [name, each] of pairsOf(value.params)) url.searchParams.append(name, each);
  const headers = new Headers(pairsOf(value.headers));
  const method = (value.method ?? "GET").toUpperCase();
  const body = method === "GET" || method === "HEAD" ? undefined : bodyOf(value.body);
  const auth = authorization(value);
  if (auth !== undefined && !headers.has("authorization")) headers.set("authorization", auth);
  if (body && !headers.has("content-type")) headers.set("content-type", body.type);
  const response = await fetch(url, { method, headers, ...(body && { body: body.text }) });
  const { status, statusText } = response;
  const answer = {
    status,
    statusText,
    headers: Object.fromEntries(response.headers),
    data: parsed(await response.text()),
  };
  if (response.ok) return answer;
  throw Object.assign(new Error(`Request failed with status code ${status}`), { response: answer });
}

/** The value of a prop of type `http_request`: the configured request, and `execute`. */
export const createHttpRequest = (value: unknown): object => {
  const request = (typeof value === "object" && value !== null ? value : { url: value }) as HttpRequestValue;
  return Object.defineProperty({ ...request }, "execute", { value: () => execute(request), enumerable: false });
};
