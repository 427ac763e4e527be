import { AbortSignal, newSignal } from "./abort.ts";
import { Body, type Content, readContent, shareContent, takeContent } from "./body.ts";
import { Headers, type HeadersInput } from "./headers.ts";
import { settledHref, URL } from "./url.ts";

type RedirectMode = "follow" | "manual" | "error";

export interface RequestOptions {
  method?: string;
  headers?: HeadersInput;
  body?: unknown;
  redirect?: RedirectMode;
  signal?: AbortSignal | null;
  duplex?: string;
}

const forbiddenMethods = ["CONNECT", "TRACE", "TRACK"];
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

/** The content of a request: the given one, else that of the request that it is made from. */
function readBody({ duplex, body }: RequestOptions, base: Request | undefined, method: string): Content | undefined {
  const replaces = body !== undefined && body !== null;
  const isBodiless = method === "GET" || method === "HEAD";
  if (isBodiless && (replaces || (base && base.body !== null)))
    throw new TypeError("Request with GET/HEAD method cannot have body.");
  const used = "Cannot construct a Request with a Request object that has already been used.";
  if (!replaces) return base && takeContent(base, used);
  const content = readContent(body);
  if (content?.stream && duplex === undefined)
    throw new TypeError("RequestInit: duplex option is required when sending a body.");
  if (content?.stream?.locked) throw new TypeError("Response body object should not be disturbed or locked");
  return content;
}

function readRedirect(given: RedirectMode): RedirectMode {
  if (["follow", "manual", "error"].includes(given)) return given;
  throw new TypeError(`Request constructor: ${given} is not an accepted type. Expected one of follow, error, manual.`);
}

/** The signal that a request follows: the given one, else that of the request that it is made from. */
function readSignal({ signal }: RequestOptions, base: Request | undefined): AbortSignal | null | undefined {
  if (signal === undefined) return base && followedSignal(base);
  if (signal !== null && !(signal instanceof AbortSignal))
    throw new TypeError("RequestInit: Expected signal to be an instance of AbortSignal.");
  return signal;
}

/** The signal that aborts a request; undefined when nothing can. */
export let followedSignal: (request: Request) => AbortSignal | undefined;

export class Request extends Body {
  readonly #url: string;
  readonly #method: string;
  readonly #redirect: RedirectMode;
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
    super(readBody(given, base, method), new Headers(given.headers ?? base?.headers));
    this.#url = url;
    this.#method = method;
    this.#redirect = readRedirect(given.redirect ?? base?.redirect ?? "follow");
    const followed = readSignal(given, base);
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
  get redirect(): RedirectMode {
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
