import type { Agent, AgentOptions, ClientRequest, IncomingMessage, request as sendRequest } from "node:http";
import type { LookupFunction } from "node:net";

import { afterRealTime, XError } from "@x/model";
import { asFetchError, connectionClosed, connectTimedOut } from "./fetch-error.ts";
import { createLookup, type Lookup, type ResolvedAddress } from "./lookup.ts";
import type { Policy } from "./policy.ts";

/**
 * Looks up a host once and checks every address. The socket connects to exactly these addresses, so that another answer of
 * the name server cannot redirect it.
 */
export function createPinnedLookup(policy: Policy, lookup: Lookup = createLookup()): LookupFunction {
  const check = async (host: string): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> => {
    const [first, ...others] = await lookup(host);
    if (!first) throw new Error(`no address for ${host}`);
    for (const { address } of [first, ...others]) {
      const rule = policy.forbiddenAddress(address, host);
      if (rule !== undefined) throw new XError("address_forbidden", [host, rule], { details: { host } });
    }
    return [first, ...others];
  };
  return (host, options, callback) => {
    check(host).then(
      (addresses) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

const maxConnectMs = 10_000;

/** How long a connection is kept for the next request to its origin, unless the server says otherwise. */
const idleMs = 4_000;

/** Sends requests over HTTP/1.1, without proxy, redirects, cache or cookies. */
export interface Connections {
  /** Resolves with the head of the answer; 1xx answers are read over. */
  send(request: ConnectionRequest, signal: AbortSignal): Promise<IncomingMessage>;
  /** Ends all connections. */
  destroy(): void;
}

export interface ConnectionRequest {
  /** May differ from the URL's origin. */
  readonly origin: URL;
  /** Path and query. */
  readonly path: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
}

/** Methods whose requests have a length also without a body. */
const withLength = new Set(["PATCH", "POST", "PUT", "QUERY"]);

/** Ends a request whose connection takes too long to open. */
function limitConnecting(request: ClientRequest, ms: number): void {
  request.once("socket", (socket) => {
    if (!socket.connecting) return;
    const cancel = afterRealTime(ms, () => request.destroy(connectTimedOut(ms)));
    for (const event of ["connect", "close"] as const) socket.once(event, cancel);
  });
}

/**
 * Ends a request with a signal. Not with the option `signal`, which would pass its reason on to a connection that serves
 * another request already.
 */
function endWith(signal: AbortSignal, request: ClientRequest): void {
  let isAnswered = false;
  request.once("response", () => (isAnswered = true));
  const end = (): void => void request.destroy(isAnswered ? undefined : (signal.reason as Error));
  signal.addEventListener("abort", end, { once: true });
  request.once("close", () => signal.removeEventListener("abort", end));
  if (signal.aborted) end();
}

function headersOf({ origin, method, headers, body }: ConnectionRequest): Map<string, string[]> {
  const lists = new Map<string, string[]>([
    ["host", [origin.host]],
    ["connection", ["keep-alive"]],
  ]);
  for (const [name, value] of headers) lists.set(name, [...(lists.get(name) ?? []), value]);
  const length = body?.byteLength ?? 0;
  if (length > 0 || withLength.has(method)) lists.set("content-length", [String(length)]);
  return lists;
}

/** Sends requests over one protocol. */
interface Protocol {
  readonly request: typeof sendRequest;
  readonly agent: Agent;
}

/**
 * Loads the protocol's module: that of HTTPS takes as long as half of the runtime. Not by an import, which reads all exports of
 * node:http, and one of them loads undici.
 */
function openProtocol(isSecure: boolean, options: AgentOptions): Protocol {
  const { Agent, request } = process.getBuiltinModule(isSecure ? "node:https" : "node:http");
  return { request, agent: new Agent(options) };
}

/** Creates connections that are kept alive. No limit for an origin: one sender would block others. */
export function createConnections(timeoutMs: number, lookup: LookupFunction | undefined): Connections {
  const options = { keepAlive: true, timeout: idleMs, ...(lookup && { lookup }) };
  const opened = new Map<boolean, Protocol>();
  function protocolFor(isSecure: boolean): Protocol {
    const protocol = opened.get(isSecure) ?? openProtocol(isSecure, options);
    opened.set(isSecure, protocol);
    return protocol;
  }
  const connectMs = Math.min(maxConnectMs, timeoutMs);
  return {
    send: (given, signal) =>
      new Promise((resolve, reject) => {
        const { origin, path, method, body } = given;
        const protocol = protocolFor(origin.protocol === "https:");
        const request = protocol.request({
          protocol: origin.protocol,
          hostname: origin.hostname.replace(/^\[(.*)\]$/, "$1"),
          port: origin.port,
          path,
          method,
          agent: protocol.agent,
          setDefaultHeaders: false,
        });
        request.on("error", (error) => reject(asFetchError(error)));
        endWith(signal, request);
        for (const [name, values] of headersOf(given)) request.setHeader(name, values);
        limitConnecting(request, connectMs);
        request.once("response", (response) => {
          // A change of the protocol, which nobody asked for.
          if (response.statusCode === 101) request.destroy();
          else resolve(response);
        });
        // Without an answer and without an error, as when the server changes the protocol.
        request.once("close", () => reject(connectionClosed()));
        request.end(body);
      }),
    destroy() {
      for (const { agent } of opened.values()) agent.destroy();
    },
  };
}
