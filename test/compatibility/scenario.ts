import type { Json } from "@x/runtime";

/** A request as it reached the fake upstream, under the URL that the component asked for. */
export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer;
}

export interface UpstreamAnswer {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** Anything but text and bytes is sent as JSON. */
  readonly body?: unknown;
  /** In place of an answer: the connection breaks, with the head and a part of the body sent, or nothing ever comes. */
  readonly failure?: "broken" | "cut" | "silent";
}

/** What the upstream answers; `count` is how many requests of this scenario came before. */
export type Answer = (request: UpstreamRequest, count: number) => UpstreamAnswer;

export type Step = { readonly run: Json } | { readonly request: { readonly [field: string]: Json } };

/** A component of `components/`, and what happens to it: deploy and activate, these steps, deactivate. */
export interface Scenario {
  /** What it shows, in a few words; unique. */
  readonly title: string;
  /** Below `components/`. */
  readonly component: string;
  /** Packages that it imports; none: it needs no download. */
  readonly packages: readonly string[];
  readonly props?: { readonly [prop: string]: Json };
  /** What `$auth` gives, by app prop. */
  readonly auth?: { readonly [prop: string]: { readonly [field: string]: Json } };
  readonly steps: readonly Step[];
  readonly upstream?: Answer;
  /** Requests go where they say and not to the upstream, to see what comes of hosts that are not there. */
  readonly direct?: boolean;
  /** Request headers to compare, beside content-type and authorization. */
  readonly headers?: readonly string[];
  /** What chance or time decides in compared headers. */
  readonly masks?: readonly RegExp[];
  /** Why the two differ, where they have to. The suite fails when they no longer do. */
  readonly differs?: string;
}

/** One call of the component and everything it did. */
export interface CallRecord {
  readonly entry: string;
  /** "ok", or the name and the message of what was thrown. */
  readonly outcome: string;
  readonly emits: readonly { readonly event: Json; readonly id?: string; readonly summary?: string }[];
  readonly response: Json;
  /** Values that it wrote to its db. */
  readonly db: { readonly [key: string]: Json };
}

const request = (method: string, contentType: string | undefined, bodyRaw: string, body: Json | undefined) => ({
  method,
  path: "/",
  query: {},
  headers: contentType === undefined ? {} : { "content-type": contentType },
  bodyRaw,
  ...(body !== undefined && { body }),
  url: "http://127.0.0.1/in/key/",
  client_ip: "127.0.0.1",
});

/** The event of a POST of JSON; further headers in lower case. */
export function postJson(body: Json, headers: { readonly [name: string]: string } = {}): Step {
  const event = request("POST", "application/json", JSON.stringify(body), body);
  return { request: { ...event, headers: { ...event.headers, ...headers } } };
}

/** The event of a POST of text. */
export function postText(text: string, contentType: string, headers: { readonly [name: string]: string } = {}): Step {
  const event = request("POST", contentType, text, text);
  return { request: { ...event, headers: { ...event.headers, ...headers } } };
}

/** One tick of a timer. */
export const tick: Step = { run: { timestamp: 1_767_225_600, interval_seconds: 900 } };
