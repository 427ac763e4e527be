import type { Kit } from "../kit.ts";

const states = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 } as const;
/** RFC 6455, 7.4.1: the connection ended without a closing handshake. */
const abnormalClosure = 1006;
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;
const reasonBytes = 123;

/** `WebSocket` without connections: packages that refer to it load, and opening one fails with an error event. */
export function createWebSocket(kit: Kit): Record<string, unknown> {
  const syntaxError = (message: string): unknown => new kit.DOMException(message, "SyntaxError");

  function socketUrl(given: unknown): string {
    let url: InstanceType<typeof URL>;
    try {
      url = new URL(String(given));
    } catch (error) {
      throw syntaxError(String(error));
    }
    if (/^https?:$/.test(url.protocol)) url.protocol = url.protocol.replace("http", "ws");
    if (!/^wss?:$/.test(url.protocol)) throw syntaxError("expected a ws: or wss: url");
    if (url.hash !== "" || url.href.endsWith("#")) throw syntaxError("hash");
    return url.href;
  }

  function checkProtocols(given: unknown): void {
    const listed = typeof given === "object" && given !== null && "protocols" in given ? given.protocols : given;
    const protocols = (Array.isArray(listed) ? listed : [listed]).map(String);
    const isDouble = new Set(protocols.map((each) => each.toLowerCase())).size < protocols.length;
    if (isDouble || !protocols.every((each) => token.test(each)))
      throw syntaxError("Invalid Sec-WebSocket-Protocol value");
  }

  class CloseEvent extends kit.Event {
    readonly code: number;
    readonly reason: string;
    readonly wasClean: boolean;
    constructor(type: string, init: { code?: number; reason?: string; wasClean?: boolean } = {}) {
      super(type, init as object);
      this.code = init.code ?? 0;
      this.reason = init.reason ?? "";
      this.wasClean = init.wasClean ?? false;
    }
  }

  class WebSocket extends kit.EventTarget {
    static {
      for (const type of ["open", "message", "error", "close"]) kit.defineHandler(WebSocket.prototype, type);
      for (const [name, value] of Object.entries(states))
        for (const holder of [WebSocket, WebSocket.prototype])
          Object.defineProperty(holder, name, { value, enumerable: true });
    }
    readonly #url: string;
    #state: number = states.CONNECTING;
    binaryType = "blob";
    constructor(...[url, protocols]: [url?: unknown, protocols?: unknown]) {
      if (url === undefined) throw new TypeError("WebSocket constructor: 1 argument required, but 0 found.");
      super();
      this.#url = socketUrl(url);
      if (protocols !== undefined && !(Array.isArray(protocols) && protocols.length === 0)) checkProtocols(protocols);
      setTimeout(() => this.#fail(), 0);
    }
    override get [Symbol.toStringTag](): string {
      return "WebSocket";
    }
    get url(): string {
      return this.#url;
    }
    get readyState(): number {
      return this.#state;
    }
    get bufferedAmount(): number {
      return 0;
    }
    get extensions(): string {
      return "";
    }
    get protocol(): string {
      return "";
    }
    #fail(): void {
      this.#state = states.CLOSED;
      const message = `WebSocket to ${this.#url} cannot be opened: components can send requests only, not hold connections`;
      const error = Object.assign(new kit.Event("error"), { message, error: new Error(message) });
      this.dispatchEvent(error);
      this.dispatchEvent(new CloseEvent("close", { code: abnormalClosure }));
    }
    send(...given: unknown[]): void {
      if (given.length === 0) throw new TypeError("WebSocket.send: 1 argument required, but 0 found.");
      if (this.#state === states.CONNECTING) throw new kit.DOMException("Sent before connected.", "InvalidStateError");
    }
    close(code?: unknown, reason = ""): void {
      const number = code === undefined ? 1000 : Number(code);
      if (number !== 1000 && !(number >= 3000 && number <= 4999))
        throw new kit.DOMException("invalid code", "InvalidAccessError");
      const bytes = kit.encodeUtf8(String(reason)).length;
      if (bytes > reasonBytes) throw syntaxError(`Reason must be less than ${reasonBytes} bytes; received ${bytes}`);
      if (this.#state === states.CONNECTING) this.#state = states.CLOSING;
    }
  }
  return { CloseEvent, WebSocket };
}

declare function setTimeout(run: () => void, ms: number): unknown;
declare const URL: new (text: string) => { protocol: string; readonly hash: string; readonly href: string };
