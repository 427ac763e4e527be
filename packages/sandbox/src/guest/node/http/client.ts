import { EventEmitter } from "node:events";

import type { ClientRequest } from "./client-request.ts";

export interface AgentOptions {
  readonly keepAlive?: boolean;
  readonly maxSockets?: number;
  readonly maxFreeSockets?: number;
  readonly maxTotalSockets?: number;
  readonly timeout?: number;
}

export interface Agent extends EventEmitter {
  options: AgentOptions;
  protocol: string;
  defaultPort: number;
}

type NameOptions = Readonly<Record<string, unknown>>;

/** The name of a pool of connections, in Node's format. */
function nameOf({ host, port, localAddress, family, socketPath }: NameOptions): string {
  const shown = (value: unknown): string => (value ? String(value) : "");
  const version = family === 4 || family === 6 ? `:${family}` : "";
  return `${shown(host) || "localhost"}:${shown(port)}:${shown(localAddress)}${version}${socketPath ? `:${shown(socketPath)}` : ""}`;
}

const secureOptions =
  "ca cert clientCertEngine ciphers key pfx rejectUnauthorized servername minVersion maxVersion secureProtocol crl honorCipherOrder ecdhCurve dhparam secureOptions sessionIdContext sigalgs privateKeyIdentifier privateKeyEngine".split(
    " ",
  );
const keepsFalse = new Set(["rejectUnauthorized", "honorCipherOrder"]);

function secureNameOf(options: NameOptions): string {
  const valueOf = (name: string): string => {
    const value = options[name];
    if (name === "servername" && value === options["host"]) return "";
    return value || (keepsFalse.has(name) && value !== undefined) ? String(value) : "";
  };
  return secureOptions.map((name) => `:${valueOf(name)}`).join("");
}

type AgentType = { new (options?: AgentOptions): Agent; prototype: Agent };

/**
 * The Agent of a module: only settings, because the host has the connections. A function, so that constructors of older
 * packages can call it on their own objects.
 */
export function createAgentType(protocol: string, defaultPort: number): AgentType {
  function Agent(this: Agent & Record<string, unknown>, options: AgentOptions = {}): unknown {
    if (!(this instanceof Agent)) return new (Agent as unknown as AgentType)(options);
    (EventEmitter as unknown as (this: object) => void).call(this);
    Object.assign(this, {
      protocol,
      defaultPort,
      options: { path: null, noDelay: true, ...options },
      requests: {},
      sockets: {},
      freeSockets: {},
      keepAlive: options.keepAlive ?? false,
      keepAliveMsecs: 1000,
      maxSockets: options.maxSockets ?? Infinity,
      maxFreeSockets: options.maxFreeSockets ?? 256,
      maxTotalSockets: options.maxTotalSockets ?? Infinity,
      totalSocketCount: 0,
      scheduling: "lifo",
    });
    return undefined;
  }
  Object.setPrototypeOf(Agent, EventEmitter);
  Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
  Object.assign(Agent.prototype, {
    destroy() {},
    keepSocketAlive: () => true,
    reuseSocket() {},
    getName: (asked: NameOptions = {}) => nameOf(asked) + (protocol === "https:" ? secureNameOf(asked) : ""),
  });
  return Agent as unknown as AgentType;
}

type RequestType = new (...given: unknown[]) => ClientRequest;

/** Adds the module's default agent to the options; the request reads the protocol from it. */
function withDefaultAgent([first, ...rest]: readonly unknown[], agent: Agent): unknown[] {
  const isUrl = typeof first === "string" || first instanceof URL;
  if (!isUrl) return [{ ...(first as object), _defaultAgent: agent }, ...rest];
  const options = typeof rest[0] === "object" ? (rest.shift() as object | null) : undefined;
  return [first, { ...options, _defaultAgent: agent }, ...rest];
}

/** `request` and `get` of `http` or `https`. */
export function createClient(
  Request: RequestType,
  agent: Agent,
): Record<"request" | "get", (...given: unknown[]) => ClientRequest> {
  const request = (...given: unknown[]): ClientRequest => new Request(...withDefaultAgent(given, agent));
  const get = (...given: unknown[]): ClientRequest => {
    const sent = request(...given);
    sent.end();
    return sent;
  };
  return { request, get };
}
