import { AbortSignal, newSignal } from "./abort.ts";
import { Body, readContent, shareContent, takeContent } from "./body.ts";
import { Headers, type HeadersInput } from "./headers.ts";
import { settledHref, URL } from "./url.ts";

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

/** The normalized URL of a request. Throws a TypeError for an invalid one and for one with credentials. */
function readUrl(given: string): string {
  const settled = settledHref(given);
  if (settled !== undefined) return settled;
  const url = new URL(given) as URL & { username: string; password: string };
  if (url.username !== "" || url.password !== "")
    throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${url.href}`);
  return url.href;
}

/** The signal that aborts a request; undefined when nothing can. */
export let followedSignal: (request: Request) => AbortSignal | undefined;

export class Request extends Body {
  readonly #url: string;
  readonly #method: string;
  readonly #redirect: "follow" | "manual" | "error";
  /** Undefined until it is read, unless another signal aborts it. */
  #signal: AbortSignal | undefined;
  #isFollowing = false;

  static {
    followedSignal = (request) => (request.#isFollowing ? request.#signal : undefined);
    for (const [name, value] of Object.entries(fixed))
      Object.defineProperty(Request.prototype, name, { configurable: true, enumerable: true, get: () => value });
  }

  constructor(input: unknown, options: RequestOptions | null = {}) {
    const given = options ?? {};
    const base = input instanceof Request ? input : undefined;
    const url = base ? base.#url : readUrl(String(input));
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
    this.#url = url;
    this.#method = method;
    this.#redirect = given.redirect ?? base?.redirect ?? "follow";
    if (!redirects.includes(this.#redirect))
      throw new TypeError(
        `Request constructor: ${this.#redirect} is not an accepted type. Expected one of follow, error, manual.`,
      );
    const { signal } = given;
    if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal))
      throw new TypeError("RequestInit: Expected signal to be an instance of AbortSignal.");
    const followed = signal === undefined ? base && followedSignal(base) : signal;
    if (!followed) return;
    this.#signal = AbortSignal.any([followed]);
    this.#isFollowing = true;
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
    this.#signal ??= newSignal();
    return this.#signal;
  }
  clone(): Request {
    const content = shareContent(this, "Request.clone: Body has already been consumed.");
    const { url, method, headers, redirect } = this;
    return new Request(url, {
      method,
      headers,
      redirect,
      signal: followedSignal(this) ?? null,
      duplex: "half",
      body: content?.stream ?? content?.bytes,
    });
  }
}
