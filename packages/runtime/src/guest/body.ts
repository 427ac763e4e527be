import { type AbortSignal, DOMException, newSignal } from "./events.ts";
import { Headers, type HeadersInput } from "./headers.ts";
import { decodeUtf8, encodeUtf8, exactBuffer, viewBytes } from "./text.ts";
import { URL, URLSearchParams } from "./url.ts";

export class Blob {
  readonly type: string;
  #bytes: Uint8Array;
  constructor(parts: unknown[] = [], options: { type?: string } = {}) {
    const chunks = parts.map((part) =>
      part instanceof Blob ? part.#bytes : (viewBytes(part)?.slice() ?? encodeUtf8(String(part))),
    );
    this.#bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
    let offset = 0;
    for (const chunk of chunks) {
      this.#bytes.set(chunk, offset);
      offset += chunk.length;
    }
    const type = String(options.type ?? "");
    this.type = /^[ -~]*$/.test(type) ? type.toLowerCase() : "";
  }
  get [Symbol.toStringTag](): string {
    return "Blob";
  }
  get size(): number {
    return this.#bytes.length;
  }
  static bytesOf(blob: Blob): Uint8Array {
    return blob.#bytes;
  }
  slice(start = 0, end = this.size, type = ""): Blob {
    return new Blob([this.#bytes.slice(start, end)], { type });
  }
  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(exactBuffer(this.#bytes.slice()));
  }
  bytes(): Promise<Uint8Array> {
    return Promise.resolve(this.#bytes.slice());
  }
  text(): Promise<string> {
    return Promise.resolve(decodeUtf8(this.#bytes));
  }
}

/** Bytes of a body as given to fetch, and the content type it implies. */
function bodyBytes(given: unknown): { bytes: Uint8Array; type?: string } | undefined {
  if (given === undefined || given === null) return undefined;
  const view = viewBytes(given);
  if (view) return { bytes: view.slice() };
  if (given instanceof Blob)
    return given.type ? { bytes: Blob.bytesOf(given), type: given.type } : { bytes: Blob.bytesOf(given) };
  if (given instanceof URLSearchParams) {
    return { bytes: encodeUtf8(given.toString()), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  }
  return { bytes: encodeUtf8(String(given)), type: "text/plain;charset=UTF-8" };
}

class Body {
  readonly headers: Headers;
  bodyUsed = false;
  protected readonly held: Uint8Array | undefined;

  constructor(body: unknown, headers: HeadersInput) {
    this.headers = new Headers(headers);
    const given = bodyBytes(body);
    this.held = given?.bytes;
    if (given?.type && !this.headers.has("content-type")) this.headers.set("content-type", given.type);
  }
  #take(): Promise<Uint8Array> {
    if (this.bodyUsed) return Promise.reject(new TypeError("Body is unusable: Body has already been read"));
    if (this.held) this.bodyUsed = true;
    return Promise.resolve(this.held ?? new Uint8Array(0));
  }
  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#take().then(exactBuffer);
  }
  bytes(): Promise<Uint8Array> {
    return this.#take();
  }
  text(): Promise<string> {
    return this.#take().then(decodeUtf8);
  }
  json(): Promise<unknown> {
    return this.text().then((text) => JSON.parse(text) as unknown);
  }
  blob(): Promise<Blob> {
    return this.#take().then((bytes) => new Blob([bytes], { type: this.headers.get("content-type") ?? "" }));
  }
}

export interface RequestOptions {
  method?: string;
  headers?: HeadersInput;
  body?: unknown;
  redirect?: "follow" | "manual" | "error";
  signal?: AbortSignal | null;
}

const forbiddenMethods = ["CONNECT", "TRACE", "TRACK"];
const redirects = ["follow", "manual", "error"];
const upperMethods = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH"];

export class Request extends Body {
  readonly url: string;
  readonly method: string;
  readonly redirect: "follow" | "manual" | "error";
  readonly signal: AbortSignal;

  constructor(input: unknown, options: RequestOptions = {}) {
    const base = input instanceof Request ? input : undefined;
    if (base?.bodyUsed && options.body === undefined)
      throw new TypeError("Cannot construct a Request with a Request object that has already been used.");
    super(options.body ?? base?.held, options.headers ?? base?.headers);
    const url = new URL(base ? base.url : String(input)) as URL & { username: string; password: string };
    if (url.username !== "" || url.password !== "")
      throw new TypeError("Request cannot be constructed from a URL that includes credentials");
    this.url = url.href;
    const method = String(options.method ?? base?.method ?? "GET");
    this.method = upperMethods.includes(method.toUpperCase()) ? method.toUpperCase() : method;
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(this.method))
      throw new TypeError(`'${method}' is not a valid HTTP method.`);
    if (forbiddenMethods.includes(this.method.toUpperCase()))
      throw new TypeError(`'${method}' HTTP method is unsupported.`);
    if (this.held && (this.method === "GET" || this.method === "HEAD"))
      throw new TypeError("Request with GET/HEAD method cannot have body.");
    this.redirect = options.redirect ?? base?.redirect ?? "follow";
    if (!redirects.includes(this.redirect)) throw new TypeError(`redirect cannot be "${this.redirect}"`);
    this.signal = options.signal ?? base?.signal ?? newSignal();
    // The body moves over.
    if (base?.held && options.body === undefined) base.bodyUsed = true;
  }
  get [Symbol.toStringTag](): string {
    return "Request";
  }
  static bytesOf(request: Request): Uint8Array | undefined {
    return request.held;
  }
  clone(): Request {
    if (this.bodyUsed) throw new TypeError("Request.clone: Body has already been consumed.");
    const copy = new Request(this);
    this.bodyUsed = false;
    return copy;
  }
}

export interface ResponseOptions {
  status?: number;
  statusText?: string;
  headers?: HeadersInput;
}

export class Response extends Body {
  readonly status: number;
  readonly statusText: string;
  readonly type = "default";
  url = "";
  redirected = false;

  constructor(body?: unknown, options: ResponseOptions = {}) {
    super(body, options.headers);
    this.status = Number(options.status ?? 200);
    if (this.status < 200 || this.status > 599)
      throw new RangeError("init.status must be in the range of 200 to 599, inclusive.");
    this.statusText = options.statusText ?? "";
  }
  get [Symbol.toStringTag](): string {
    return "Response";
  }
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }
  clone(): Response {
    if (this.bodyUsed) throw new TypeError("Response.clone: Body has already been consumed.");
    const copy = new Response(this.held, this);
    copy.url = this.url;
    copy.redirected = this.redirected;
    return copy;
  }
  static json(value: unknown, options: ResponseOptions = {}): Response {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError(`${typeof value} is no JSON`);
    const response = new Response(text, options);
    if (!new Headers(options.headers).has("content-type")) response.headers.set("content-type", "application/json");
    return response;
  }
  static error(): never {
    throw new DOMException("Response.error is not supported", "NotSupportedError");
  }
}
