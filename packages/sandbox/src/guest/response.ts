import { Body, readContent, shareContent } from "./body.ts";
import { Headers, type HeadersInput, lockHeaders, receivedHeaders } from "./headers.ts";
import { URL } from "./url.ts";

export interface ResponseOptions {
  status?: number;
  statusText?: string;
  headers?: HeadersInput;
}

/** Members of a response that only the runtime can set, and those that it does not check. */
interface Origin {
  readonly type: "basic" | "error";
  readonly url: string;
  readonly redirected: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
}

const bodilessStatuses = [101, 103, 204, 205, 304];

/** A response from the network, or a network error: any status, read-only headers. */
export let receivedResponse: (body: unknown, origin: Origin) => Response;

/** The origin of the response under construction. */
let received: Origin | undefined;

export class Response extends Body {
  #status: number;
  readonly #statusText: string;
  #origin: Origin | undefined;

  static {
    receivedResponse = (body, origin) => {
      const content = bodilessStatuses.includes(origin.status) ? null : body;
      received = origin;
      return new Response(content);
    };
  }

  constructor(body?: unknown, options: ResponseOptions | null = {}) {
    if (received) {
      const origin = received;
      received = undefined;
      // The host gives its bytes away.
      const content = body instanceof ArrayBuffer ? { bytes: new Uint8Array(body) } : readContent(body);
      super(content, receivedHeaders(origin.headers));
      this.#status = origin.status;
      this.#statusText = origin.statusText;
      this.#origin = origin;
      return;
    }
    const given = options ?? {};
    const status = given.status === undefined ? 200 : Math.trunc(Number(given.status)) & 0xffff;
    if (status < 200 || status > 599)
      throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    const statusText = String(given.statusText ?? "");
    if (!/^[\t -~\x80-\xff]*$/.test(statusText)) throw new TypeError("Invalid statusText");
    const content = readContent(body);
    if (content && bodilessStatuses.includes(status))
      throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    if (content?.stream?.locked) throw new TypeError("Response body object should not be disturbed or locked");
    super(content, new Headers(given.headers));
    this.#status = status;
    this.#statusText = statusText;
  }
  get [Symbol.toStringTag](): string {
    return "Response";
  }
  get type(): string {
    return this.#origin?.type ?? "default";
  }
  get url(): string {
    return this.#origin?.url ?? "";
  }
  get redirected(): boolean {
    return this.#origin?.redirected ?? false;
  }
  get status(): number {
    return this.#status;
  }
  get statusText(): string {
    return this.#statusText;
  }
  get ok(): boolean {
    return this.#status >= 200 && this.#status <= 299;
  }
  clone(): Response {
    const content = shareContent(this, "Response.clone: Body has already been consumed.");
    const { headers, statusText } = this;
    const copy = new Response(content?.stream ?? content?.bytes, { headers, statusText });
    copy.#status = this.#status;
    copy.#origin = this.#origin;
    if (copy.#origin) lockHeaders(copy.headers);
    return copy;
  }
  static json(value: unknown, options: ResponseOptions | null = {}): Response {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError("Value is not JSON serializable");
    const headers = new Headers(options?.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(text, { ...options, headers });
  }
  static error(): Response {
    return receivedResponse(null, {
      type: "error",
      url: "",
      redirected: false,
      status: 0,
      statusText: "",
      headers: [],
    });
  }
  static redirect(url: unknown, status: unknown = 302): Response {
    const { href } = new URL(url);
    if (![301, 302, 303, 307, 308].includes(Number(status)))
      throw new RangeError(`Invalid status code ${String(status)}`);
    const response = new Response(null, { status: Number(status), headers: { location: href } });
    lockHeaders(response.headers);
    return response;
  }
}
