import { createServer, type IncomingMessage } from "node:http";
import { connect } from "node:net";

import {
  createRuntime,
  type Execution,
  type Json,
  type Limits,
  manualClock,
  type ManualClock,
  type Runtime,
  type RuntimeOptions,
  type UserRuntime,
} from "@x/runtime";
import { type AppOptions, createApp, listen, type ListenOptions } from "@x/server";

import { testEngineWithin } from "../../packages/runtime/src/engine.cases.ts";
import { createStatusCheck } from "./described.ts";
import { startRoundRobin } from "./round-robin.ts";
import { openTestStore, type TestStore } from "./test-store.ts";

/** Bodies of the interface; only the members that tests read. */
export interface ComponentBody {
  readonly id: string;
  readonly code: string;
  readonly code_hash: string;
  readonly name: string;
  readonly version: string;
  readonly component_url: string | null;
  readonly configurable_props: readonly { readonly name: string; readonly type: string }[];
  readonly created_at: number;
  readonly updated_at: number;
}

export interface SourceBody {
  readonly id: string;
  readonly component_id: string;
  readonly configured_props: { readonly [prop: string]: Json };
  readonly active: boolean;
  readonly name: string;
  readonly name_slug: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface EventBody {
  readonly id: string;
  readonly indexed_at_ms: number;
  readonly event?: Json;
  readonly event_bytes?: number;
  readonly metadata: { readonly [name: string]: Json };
}

export interface ExecutionBody {
  readonly execution_id: string;
  readonly status: Execution["status"];
  readonly duration_ms: number;
  readonly emitted: readonly { readonly id: string; readonly summary?: string }[];
  readonly deduped: number;
  readonly response: Json;
  readonly logs: readonly { readonly k: string; readonly msg?: string }[];
  readonly error: null | {
    readonly code: string;
    readonly name: string;
    readonly message: string;
    readonly stack: string;
  };
}

export interface Data<T> {
  readonly data: T;
}

export interface List<T> {
  readonly page_info: {
    readonly total_count: number;
    readonly count: number;
    readonly start_cursor: string;
    readonly end_cursor: string;
  };
  readonly data: readonly T[];
}

export interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly details: {
    readonly parameter?: string;
    readonly received?: string;
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
  };
}

export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export const apiKey = "conformance-key-1";
/** Not a whole second, so that a confusion of seconds and milliseconds shows. */
export const startMs: number = Date.UTC(2026, 10, 20, 18, 0, 0, 123);

export interface Service extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly clock: ManualClock;
  readonly url: string;
  /** A request below /v1 with the API key; `body` becomes JSON. */
  call<T = ErrorBody>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  /** Deploys code and expects success. */
  deploy(code: string, props?: object, more?: object): Promise<SourceBody>;
  /** Run-now, expecting an answer 200. */
  run(id: string, event?: Json): Promise<ExecutionBody>;
  /** Expanded events of a stream in the order of their ids. */
  events(id: string, stream?: "" | "$errors/" | "$logs/"): Promise<readonly EventBody[]>;
  /** Payloads of the emitted events in order. */
  emitted(id: string): Promise<readonly (Json | undefined)[]>;
  /** A request to the endpoint that a configured HTTP prop shows. */
  hit(source: SourceBody, path?: string, init?: RequestInit, prop?: string): Promise<Response>;
  /** Advances the time, and runs what becomes due. */
  advance(ms: number): Promise<void>;
}

/** Limits that are passed with each call, or are the runtime's; those of threads and of the bundler need their own engine. */
type CallLimits = Pick<
  Limits,
  | "codeFetchTimeoutMs"
  | "describeTimeoutMs"
  | "hookTimeoutMs"
  | "inboxPerSource"
  | "memoryBytes"
  | "optionsTimeoutMs"
  | "retention"
  | "runTimeoutMs"
>;

/** Resolves when no node has anything to do, and nothing is on its way between them; triggers of paused sources wait on. */
async function idleTogether(runtimes: readonly Runtime[], { waiting }: TestStore): Promise<void> {
  for (let before: string | undefined; ;) {
    for (const each of runtimes) await each.idle();
    const now = await waiting();
    if (now === "" || (now === before && !now.includes("unseen"))) return;
    before = now;
  }
}

/** The first of several runtimes of one user; workflows are registered at each of them, as `x serve` does. */
function firstOf<T extends UserRuntime>(runtimes: readonly T[]): T {
  const [first] = runtimes;
  if (!first) throw new Error("There is no runtime.");
  return Object.assign(Object.create(first) as T, {
    async workflow(...given: Parameters<UserRuntime["workflow"]>) {
      const views = [];
      for (const each of runtimes) views.push(await each.workflow(...given));
      return views[0];
    },
  });
}

function togetherAs(runtimes: readonly Runtime[], stored: TestStore): Runtime {
  if (runtimes.length === 1 && runtimes[0]) return runtimes[0];
  return Object.assign(firstOf(runtimes), {
    idle: () => idleTogether(runtimes, stored),
    as: (userId: string) => firstOf(runtimes.map((each) => each.as(userId))),
  });
}

async function readReply<T>(response: Response): Promise<Reply<T>> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /^application\/json\b/.test(headers.get("content-type") ?? "");
  return { status, headers, body: (text === "" ? undefined : isJson ? JSON.parse(text) : text) as T };
}

/** A real server on a free loopback port with a real runtime, in memory, with its own clock. */
export async function startService(
  {
    limits = {},
    ...options
  }: Omit<RuntimeOptions, "clock" | "limits" | "workers"> & {
    readonly clock?: ManualClock;
    readonly limits?: Partial<CallLimits>;
  } = {},
  edge: { readonly app?: AppOptions; readonly listen?: ListenOptions } = {},
): Promise<Service> {
  const clock = options.clock ?? manualClock(startMs);
  const engine = options.engine ?? (await testEngineWithin(limits));
  const stored = await openTestStore(options);
  const runtimes: Runtime[] = [];
  for (const place of stored.nodes) {
    const each = await createRuntime({
      apiKey,
      publicUrl: "http://sources.test:9000",
      ...place,
      ...options,
      engine,
      clock,
    });
    await each.start();
    runtimes.push(each);
  }
  const runtime = togetherAs(runtimes, stored);
  const servers = await Promise.all(runtimes.map((each) => listen(createApp(each, edge.app), edge.listen)));
  // Limits of requests and sessions of the inspector are those of one process.
  const isForOne = edge.app?.rateLimit !== undefined || Boolean(edge.app?.inspector);
  const asked = isForOne ? servers.slice(0, 1) : servers;
  const proxy = asked.length > 1 ? await startRoundRobin(asked.map(({ port }) => port)) : undefined;
  const url = proxy?.url ?? servers[0]?.url ?? "";

  const checkStatus = createStatusCheck(url);
  const call: Service["call"] = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<T>> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await checkStatus(method, path, response.status);
    return await readReply<T>(response);
  };
  const expectData = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await call<Data<T>>(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  const events: Service["events"] = async (id, stream = "") => {
    // The response is sent at respond(); the events are readable after the later commit.
    await runtime.idle();
    const list = await expectData<EventBody[]>("GET", `/sources/${id}/${stream}event_summaries?expand=event&limit=100`);
    return list.toReversed();
  };

  return {
    runtime,
    clock,
    url,
    call,
    deploy: (code, props = {}, more = {}) =>
      expectData<SourceBody>("POST", "/sources", { component_code: code, configured_props: props, ...more }),
    run: (id, event) => expectData("POST", `/sources/${id}/run`, event === undefined ? {} : { event }),
    events,
    emitted: async (id) => (await events(id)).map((row) => row.event),
    hit(source, path = "", init = {}, prop = "http") {
      return fetch(url + endpointPath(source, prop) + path, init);
    },
    async advance(ms) {
      clock.jump(ms);
      await runtime.idle();
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.close();
      await proxy?.[Symbol.asyncDispose]();
      for (const each of runtimes) await each.close();
      await stored.remove();
    },
  };
}

/** Path of the endpoint that a configured HTTP prop shows. */
export function endpointPath(source: SourceBody, prop = "http"): string {
  const shown = source.configured_props[prop];
  if (typeof shown !== "object" || shown === null || Array.isArray(shown)) throw new Error(`No endpoint at ${prop}`);
  const url = shown["endpoint_url"];
  if (typeof url !== "string") throw new Error(`No endpoint at ${prop}`);
  return new URL(url).pathname;
}

/** Source text of a component; `run` is the body of its run function. */
export function component(
  parts: { name?: string; props?: string; run?: string; more?: string; before?: string } = {},
): string {
  const { name = "Probe", props = "", run = "", more = "", before = "" } = parts;
  return `${before}
export default {
  name: ${JSON.stringify(name)},
  version: "0.0.1",
  props: {${props}},
  ${more}
  async run(event) {${run}},
};`;
}

/** A request to a test upstream. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface Upstream extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}

/** A loopback server for requests of components; it answers `{}` and records them. */
export async function startUpstream(): Promise<Upstream> {
  const received: Received[] = [];
  const server = createServer((incoming, outgoing) => {
    void readText(incoming).then((body) => {
      received.push({ method: incoming.method ?? "", path: incoming.url ?? "", body });
      outgoing.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The upstream has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Sends raw bytes and reads the first answer until the server closes the connection. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => {
      resolve();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // The server may close the connection before everything is sent; its answer counts.
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
    socket.write(bytes);
  });
  const text = Buffer.concat(chunks).toString("utf8");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  const json = body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1);
  return { status, body: json === "" ? undefined : (JSON.parse(json) as unknown) };
}
