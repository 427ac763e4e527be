import type { Agent, Dispatcher } from "undici";

import type { NetworkOptions } from "../api/options.ts";
import type { Hop } from "./hop.ts";

/** The answer to one hop: its head has arrived, its body is read or dropped. */
export interface Sent {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: readonly (readonly [string, string])[];
  /** The body is what `content-encoding` says; false: it is decoded already. */
  readonly encoded: boolean;
  /** Of the body, as they come; read once. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Nobody wants the body. */
  drop(signal: AbortSignal): void;
}

/** A body that came in part; the cause is why. */
export class CutOff extends Error {
  readonly body: Uint8Array;

  constructor(body: Uint8Array, cause: unknown) {
    super("the connection broke before the end of the body", { cause });
    this.body = body;
  }
}

function listHeaders(headers: Dispatcher.ResponseData["headers"]): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((item): [string, string] => [name.toLowerCase(), item]),
  );
}

const droppedBytes = 64 * 1024;

/** Sends a hop over a connection of the agent, to `origin` in place of the URL's own. */
export async function sendByAgent(agent: Agent, hop: Hop, origin: string, signal: AbortSignal): Promise<Sent> {
  const { url, method, headers } = hop;
  const response = await agent.request({
    origin,
    path: url.pathname + url.search,
    method,
    headers: headers.flat(),
    body: hop.body ?? null,
    signal,
  });
  // An aborted body also emits its error, which the reader already has.
  response.body.on("error", () => undefined);
  return {
    status: response.statusCode,
    statusText: response.statusText,
    headers: listHeaders(response.headers),
    encoded: true,
    chunks: () => response.body as AsyncIterable<Uint8Array>,
    // Read in the background, so that the connection can be used again.
    drop: (signal) => void response.body.dump({ limit: droppedBytes, signal }).catch(() => undefined),
  };
}

interface Patience {
  /** What is wanted, or the reason of the signal: an embedder's function that ignores the signal is not waited for. */
  orAborted<T>(wanted: Promise<T>): Promise<T>;
  /** Nothing is waited for any more. */
  end(): void;
}

function patienceUntil(signal: AbortSignal): Patience {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  aborted.promise.catch(() => undefined);
  if (signal.aborted) abort();
  return {
    orAborted: (wanted) => Promise.race([wanted, aborted.promise]),
    end: () => signal.removeEventListener("abort", abort),
  };
}

/** Sends a hop by the function that the embedder gave. */
export async function sendByFetch(
  fetch: NonNullable<NetworkOptions["fetch"]>,
  hop: Hop,
  signal: AbortSignal,
): Promise<Sent> {
  const { url, method, headers, body } = hop;
  const { orAborted, end } = patienceUntil(signal);
  const given: RequestInit = {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    redirect: "manual",
    signal,
  };
  // A copy: its memory is shared with nobody.
  if (body && body.byteLength > 0) given.body = Uint8Array.from(body);
  const response = await orAborted(Promise.resolve(fetch(new Request(url, given))));
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    encoded: false,
    async *chunks() {
      const reader = response.body?.getReader();
      try {
        for (;;) {
          const next = reader && (await orAborted(reader.read()));
          if (!next || next.done) return;
          yield next.value;
        }
      } finally {
        end();
        void reader?.cancel().catch(() => undefined);
      }
    },
    drop: () => void response.body?.cancel().catch(() => undefined),
  };
}

/** The same with plain data. */
export async function sendByExchange(
  exchange: NonNullable<NetworkOptions["exchange"]>,
  { url, method, headers, body }: Hop,
  signal: AbortSignal,
): Promise<Sent> {
  const { orAborted, end } = patienceUntil(signal);
  const reply = await orAborted(Promise.resolve(exchange({ method, url: url.href, headers, body, signal })));
  end();
  return {
    status: reply.status,
    statusText: reply.statusText ?? "",
    headers: reply.headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]),
    encoded: false,
    async *chunks() {
      yield await Promise.resolve(reply.body);
    },
    drop: () => undefined,
  };
}

/** Hands a hop to what answers it in this process: the same, but for codings of the body, which are as over the wire. */
export async function sendInside(
  answer: NonNullable<NetworkOptions["exchange"]>,
  hop: Hop,
  signal: AbortSignal,
): Promise<Sent> {
  return { ...(await sendByExchange(answer, hop, signal)), encoded: true };
}
