import { AbortSignal, newSignal } from "./abort.ts";
import { Body, readContent, shareContent, takeContent } from "./body.ts";
import { Headers, type HeadersInput } from "./headers.ts";
import { URL } from "./url.ts";

export interface RequestOptions {
  method?: string;
  headers?: HeadersInput;
  body?: unknown;
  redirect?: "follow" | "manual" | "error";
  signal?: AbortSignal | null;
  duplex?: string;
}

const forbiddenMethods = ["CONNECT", "TRACE", "TRACK"];
const redirects = ["follow", "manual", "error"];
/** The standard normalizes these methods only, so `patch` stays lower case. */
const upperMethods = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"];

/** Members for browsers only, with Node's values. */
const fixed: Record<string, unknown> = {
  cache: "default",
  credentials: "same-origin",
  destination: "",
  duplex: "half",
  integrity: "",
  isHistoryNavigation: false,
  isReloadNavigation: false,
  keepalive: false,
  mode: "cors",
  referrer: "about:client",
  referrerPolicy: "",
};

function readMethod(given: string): string {
  const upper = given.toUpperCase();
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(given)) throw new TypeError(`'${given}' is not a valid HTTP method.`);
  if (forbiddenMethods.includes(upper)) throw new TypeError(`'${given}' HTTP method is unsupported.`);
  return upperMethods.includes(upper) ? upper : given;
}

export class Request extends Body {
  readonly #url: string;
  readonly #method: string;
  readonly #redirect: "follow" | "manual" | "error";
  readonly #signal: AbortSignal;

  static {
    for (const [name, value] of Object.entries(fixed))
      Object.defineProperty(Request.prototype, name, { configurable: true, enumerable: true, get: () => value });
  }

  constructor(input: unknown, options: RequestOptions | null = {}) {
    const given = options ?? {};
    const base = input instanceof Request ? input : undefined;
    const url = new URL(base ? base.url : String(input)) as URL & { username: string; password: string };
    if (url.username !== "" || url.password !== "")
      throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${url.href}`);
    const method = readMethod(String(given.method ?? base?.method ?? "GET"));
    const { duplex, body } = given;
    const replaces = body !== undefined && body !== null;
    const isBodiless = method === "GET" || method === "HEAD";
    if (isBodiless && (replaces || (base && base.body !== null)))
      throw new TypeError("Request with GET/HEAD method cannot have body.");
    const used = "Cannot construct a Request with a Request object that has already been used.";
    const content = replaces ? readContent(body) : base && takeContent(base, used);
    if (replaces && content?.stream && duplex === undefined)
      throw new TypeError("RequestInit: duplex option is required when sending a body.");
    if (replaces && content?.stream?.locked)
      throw new TypeError("Response body object should not be disturbed or locked");
    super(content, new Headers(given.headers ?? base?.headers));
    this.#url = url.href;
    this.#method = method;
    this.#redirect = given.redirect ?? base?.redirect ?? "follow";
    if (!redirects.includes(this.#redirect))
      throw new TypeError(
        `Request constructor: ${this.#redirect} is not an accepted type. Expected one of follow, error, manual.`,
      );
    const { signal } = given;
    if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal))
      throw new TypeError("RequestInit: Expected signal to be an instance of AbortSignal.");
    const followed = signal === undefined ? base?.signal : signal;
    this.#signal = followed ? AbortSignal.any([followed]) : newSignal();
  }
  get [Symbol.toStringTag](): string {
    return "Request";
  }
  get url(): string {
    return this.#url;
  }
  get method(): string {
    return this.#method;
  }
  get redirect(): "follow" | "manual" | "error" {
    return this.#redirect;
  }
  get signal(): AbortSignal {
    return this.#signal;
  }
  clone(): Request {
    const content = shareContent(this, "Request.clone: Body has already been consumed.");
    const { url, method, headers, redirect, signal } = this;
    return new Request(url, {
      method,
      headers,
      redirect,
      signal,
      duplex: "half",
      body: content?.stream ?? content?.bytes,
    });
  }
}
