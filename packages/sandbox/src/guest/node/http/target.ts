import { typeError } from "../node-error.ts";
import type { HeaderInput } from "./headers.ts";

type Callback = (response: unknown) => void;

/** The supported options of `http.request`. */
export interface RequestOptions {
  readonly protocol?: string | null;
  readonly host?: string | null;
  readonly hostname?: string | null;
  readonly port?: string | number | null;
  readonly defaultPort?: string | number;
  readonly path?: string | null;
  readonly auth?: string | null;
  readonly method?: string;
  readonly headers?: HeaderInput;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly agent?: unknown;
  /** The default agent of `http` or `https`. */
  readonly _defaultAgent?: unknown;
  readonly setHost?: boolean;
}

/** The arguments of a request, parsed. */
export interface Target {
  readonly options: RequestOptions;
  readonly callback: Callback | undefined;
  readonly protocol: string;
  readonly host: string;
  readonly path: string;
  readonly method: string;
  readonly href: string;
  readonly auth: string | undefined;
}

/** The options of a URL, as in `url.urlToHttpOptions`. */
function urlOptions(url: URL): RequestOptions {
  const auth = [url.username, url.password].map((part) => decodeURIComponent(part)).join(":");
  return {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    path: `${url.pathname}${url.search}`,
    ...(url.port !== "" && { port: url.port }),
    ...(auth !== ":" && { auth }),
  };
}

const isUrl = (given: unknown): given is URL =>
  given instanceof URL || (typeof given === "object" && given !== null && "searchParams" in given && "href" in given);

function readOptions(given: unknown): RequestOptions {
  if (typeof given === "string") {
    if (!URL.canParse(given)) throw Object.assign(typeError("ERR_INVALID_URL", "Invalid URL"), { input: given });
    return urlOptions(new URL(given));
  }
  if (isUrl(given)) return urlOptions(given);
  return typeof given === "object" && given !== null ? given : {};
}

export const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

const protocolOf = (agent: unknown): string | undefined => (agent as { protocol?: string } | undefined)?.protocol;

/** The URL without its path; the default port is left out. */
function originOf(protocol: string, host: string, port: string): string {
  const shownHost = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `${protocol}//${shownHost}${port === defaultPorts[protocol] ? "" : `:${port}`}`;
}

/** Reads `(url, options, callback)` or `(options, callback)`. Throws for a protocol that the agent does not support. */
export function readTarget(given: readonly unknown[]): Target {
  const [first, second, third] = given;
  const hasOptions = typeof second === "object" && second !== null;
  const callback = [second, third].find((each): each is Callback => typeof each === "function");
  const options: RequestOptions = { ...readOptions(first), ...(hasOptions && second) };
  const expected = protocolOf(options.agent || undefined) ?? protocolOf(options._defaultAgent) ?? "http:";
  const protocol = options.protocol ?? expected;
  if (protocol !== expected || !(protocol in defaultPorts))
    throw typeError("ERR_INVALID_PROTOCOL", `Protocol "${protocol}" not supported. Expected "${expected}"`);
  const path = options.path ? String(options.path) : "/";
  if (/[^\u0021-\u00ff]/.test(path))
    throw typeError("ERR_UNESCAPED_CHARACTERS", "Request path contains unescaped characters");
  const host = options.hostname || options.host || "localhost";
  const port = String(options.port || options.defaultPort || defaultPorts[protocol]);
  return {
    options,
    callback,
    protocol,
    host,
    path,
    method: (options.method ?? "GET").toUpperCase(),
    href: `${originOf(protocol, host, port)}${path.startsWith("/") ? path : `/${path}`}`,
    auth: options.auth ?? undefined,
  };
}
