import { Readable } from "node:stream";

import type { ClientSocket } from "./socket.ts";

const chunkBytes = 65_536;
/** Headers of which only the first value counts; Node joins the values of all others. */
const single = new Set(
  (
    "age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since " +
    "last-modified location max-forwards proxy-authorization referer retry-after server user-agent"
  ).split(" "),
);

/** A response as a stream; its body is complete. */
export class IncomingMessage extends Readable {
  statusCode: number | undefined = undefined;
  statusMessage = "";
  url = "";
  method: string | null = null;
  httpVersion = "1.1";
  httpVersionMajor = 1;
  httpVersionMinor = 1;
  complete = false;
  aborted = false;
  headers: Record<string, string | string[]> = {};
  headersDistinct: Record<string, string[]> = {};
  rawHeaders: string[] = [];
  trailers: Record<string, string> = {};
  rawTrailers: string[] = [];
  socket: ClientSocket | undefined;
  req: unknown = undefined;
  /** Undefined: the connection broke before its end. */
  #body: Uint8Array | undefined = new Uint8Array(0);
  #position = 0;

  constructor(socket?: ClientSocket) {
    super();
    this.socket = socket;
  }
  get connection(): ClientSocket | undefined {
    return this.socket;
  }
  setTimeout(_ms: number, listener?: () => void): this {
    if (listener) this.on("timeout", listener);
    return this;
  }
  /** Sets the head and body of the response. */
  receive(
    head: { readonly status: number; readonly statusText: string; readonly headers: Iterable<[string, string]> },
    body: Uint8Array | undefined,
  ): void {
    this.statusCode = head.status;
    this.statusMessage = head.statusText;
    this.#body = body;
    for (const [name, value] of head.headers) {
      this.rawHeaders.push(name, value);
      (this.headersDistinct[name] ??= []).push(value);
    }
    for (const [name, values] of Object.entries(this.headersDistinct)) {
      const first = values[0] ?? "";
      this.headers[name] = name === "set-cookie" ? values : single.has(name) ? first : values.join(", ");
    }
  }
  override _read(): void {
    if (!this.#body) {
      this.destroy(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
      return;
    }
    if (this.#position < this.#body.length) {
      const chunk = this.#body.subarray(this.#position, this.#position + chunkBytes);
      this.#position += chunk.length;
      this.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
      return;
    }
    this.complete = true;
    this.push(null);
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.complete) {
      this.aborted = true;
      this.emit("aborted");
    }
    // As in Node, an incomplete body is no error without a listener for errors.
    process.nextTick(() => done(this.listenerCount("error") === 0 ? null : error));
  }
}
