import { Writable } from "node:stream";

import { sendRequest } from "x:host";

import { abortError, checkDuration } from "../node-error.ts";
import { HeaderTable, headerPairs, type HeaderValue } from "./headers.ts";
import { IncomingMessage } from "./incoming.ts";
import { ClientSocket } from "./socket.ts";
import { defaultPorts, readTarget, type Target } from "./target.ts";

const hangUp = (): Error => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });

const timedOut = (host: string, port: string): Error =>
  Object.assign(new Error(`connect ETIMEDOUT ${host}:${port}`), { code: "ETIMEDOUT", syscall: "connect" });

/** The error of Node's `http` for an error of fetch: clients read its code. */
function failureOf(error: unknown, { href }: Target): Error {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "UND_ERR_SOCKET") return hangUp();
  const { hostname, port, protocol } = new URL(href);
  if (code === "UND_ERR_CONNECT_TIMEOUT") return timedOut(hostname, port || defaultPorts[protocol] || "");
  return cause instanceof Error ? cause : error instanceof Error ? error : new Error(String(error));
}

/** A request of `http` and `https`: collects its body and sends it at its end; follows no redirect. */
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
    for (const [name, value] of headerPairs(options.headers)) {
      // In an object the last of two names that differ in case counts; a list is sent line by line.
      if (Array.isArray(options.headers)) this.#headers.append(name, value);
      else this.#headers.set(name, value);
    }
    if (!this.#headers.has("host") && options.setHost !== false) this.#headers.set("Host", new URL(target.href).host);
    if (target.auth !== undefined && !this.#headers.has("authorization"))
      this.#headers.set("Authorization", `Basic ${Buffer.from(target.auth).toString("base64")}`);
    if (target.callback) this.once("response", target.callback);
    if (options.timeout !== undefined) this.setTimeout(options.timeout);
    this.#observe(options.signal);
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
    checkDuration("msecs", ms);
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
    // A request destroyed before its response counts as a broken connection.
    done(error ?? (this.res ? null : hangUp()));
    this.#close();
  }

  #observe(signal: AbortSignal | undefined): void {
    if (!signal) return;
    const stop = (): void => void this.destroy(abortError(signal));
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
      const head = { url, method, headers: this.#headers.lines(), redirect: "manual", verbatim: true, signal } as const;
      const answer = await sendRequest(head, body.length > 0 ? body : undefined);
      // The body is complete, or undefined when the connection broke: reading it then fails.
      const bytes = await answer.arrayBuffer().catch(() => undefined);
      response = new IncomingMessage(this.socket);
      response.receive(answer, bytes && new Uint8Array(bytes));
    } catch (error) {
      if (!this.destroyed) this.destroy(failureOf(error, this.#target));
      return;
    }
    if (this.destroyed) return;
    clearTimeout(this.#timer);
    response.req = this;
    this.res = response;
    response.once("close", () => this.destroy());
    // Without a listener the response is discarded.
    if (!this.emit("response", response)) response.resume();
  }
}
