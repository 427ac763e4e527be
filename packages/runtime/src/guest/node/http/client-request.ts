import { Writable } from "node:stream";

import { sendRequest } from "x:host";

import { HeaderTable, headerPairs, type HeaderValue } from "./headers.ts";
import { IncomingMessage } from "./incoming.ts";
import { ClientSocket } from "./socket.ts";
import { readTarget, type Target } from "./target.ts";

const hangUp = (): Error => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
const aborted = (reason: unknown): Error =>
  Object.assign(new Error("The operation was aborted", { cause: reason }), { name: "AbortError", code: "ABORT_ERR" });

/** The reason behind fetch's own error: its code is what clients look at. */
function failureOf(error: unknown): Error {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && "code" in cause && cause.code === "UND_ERR_SOCKET") return hangUp();
  return cause instanceof Error ? cause : error instanceof Error ? error : new Error(String(error));
}

/** A request of `http` and `https`: collects its body, sends it when it ends, follows no redirect. */
export class ClientRequest extends Writable {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly protocol: string;
  readonly agent: unknown;
  readonly maxHeadersCount = null;
  readonly reusedSocket = false;
  aborted = false;
  headersSent = false;
  finished = false;
  timeout: number | undefined;
  readonly socket: ClientSocket;
  res: IncomingMessage | null = null;
  readonly #target: Target;
  readonly #headers = new HeaderTable();
  readonly #chunks: Uint8Array[] = [];
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(...given: unknown[]) {
    super({ autoDestroy: false, emitClose: false, decodeStrings: true });
    const target = readTarget(given);
    const { options } = target;
    this.#target = target;
    this.method = target.method;
    this.path = target.path;
    this.host = target.host;
    this.protocol = target.protocol;
    this.agent = options.agent ?? options._defaultAgent;
    this.socket = new ClientSocket(target.protocol === "https:");
    for (const [name, value] of headerPairs(options.headers)) this.#headers.append(name, value);
    if (!this.#headers.has("host") && options.setHost !== false) this.#headers.set("Host", new URL(target.href).host);
    if (target.auth !== undefined && !this.#headers.has("authorization"))
      this.#headers.set("Authorization", `Basic ${Buffer.from(target.auth).toString("base64")}`);
    if (target.callback) this.once("response", target.callback);
    if (options.timeout !== undefined) this.setTimeout(options.timeout);
    this.#obey(options.signal);
    process.nextTick(() => {
      if (this.#closed) return;
      this.emit("socket", this.socket);
      this.socket.emit("connect");
      if (this.socket.encrypted) this.socket.emit("secureConnect");
    });
  }

  get connection(): ClientSocket {
    return this.socket;
  }
  setHeader(name: string, value: HeaderValue): this {
    this.#headers.set(name, value);
    return this;
  }
  setHeaders(headers: Iterable<readonly [string, string]>): this {
    for (const [name, value] of headers) this.#headers.set(name, value);
    return this;
  }
  appendHeader(name: string, value: HeaderValue): this {
    this.#headers.append(name, value);
    return this;
  }
  getHeader(name: string): HeaderValue | undefined {
    return this.#headers.get(name);
  }
  getHeaders(): Record<string, HeaderValue> {
    return this.#headers.all();
  }
  getHeaderNames(): string[] {
    return this.#headers.names();
  }
  getRawHeaderNames(): string[] {
    return this.#headers.rawNames();
  }
  hasHeader(name: string): boolean {
    return this.#headers.has(name);
  }
  removeHeader(name: string): void {
    this.#headers.delete(name);
  }
  flushHeaders(): void {}
  setNoDelay(): void {}
  setSocketKeepAlive(): void {}

  setTimeout(ms: number, listener?: () => void): this {
    if (listener) this.once("timeout", listener);
    clearTimeout(this.#timer);
    this.timeout = ms;
    if (ms > 0) this.#timer = setTimeout(() => this.#timedOut(), ms).unref();
    return this;
  }
  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    process.nextTick(() => this.emit("abort"));
    this.destroy();
  }
  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
  override _final(done: () => void): void {
    this.finished = true;
    this.headersSent = true;
    done();
    void this.#exchange();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stop.abort();
    this.res?.destroy(error ?? undefined);
    // Before an answer a request that ends is a connection that broke.
    done(error ?? (this.res ? null : hangUp()));
    this.#close();
  }

  #obey(signal: AbortSignal | undefined): void {
    if (!signal) return;
    const stop = (): void => void this.destroy(aborted(signal.reason));
    if (signal.aborted) process.nextTick(stop);
    else signal.addEventListener("abort", stop, { once: true });
  }
  #timedOut(): void {
    this.emit("timeout");
    this.socket.emit("timeout");
  }
  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    process.nextTick(() => this.emit("close"));
  }
  async #exchange(): Promise<void> {
    const { method } = this;
    const body = Buffer.concat(this.#chunks);
    let response: IncomingMessage;
    try {
      const url = new URL(this.#target.href).href;
      const { signal } = this.#stop;
      const head = { url, method, headers: this.#headers.lines(), redirect: "manual", signal } as const;
      const answer = await sendRequest(head, body.length > 0 ? body : undefined);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      response = new IncomingMessage(this.socket);
      response.receive({ status: answer.status, statusText: answer.statusText, headers: answer.headers }, bytes);
    } catch (error) {
      if (!this.destroyed) this.destroy(failureOf(error));
      return;
    }
    if (this.destroyed) return;
    clearTimeout(this.#timer);
    response.req = this;
    this.res = response;
    response.once("close", () => this.destroy());
    // Nobody listens: the answer is read to its end and forgotten.
    if (!this.emit("response", response)) response.resume();
  }
}
