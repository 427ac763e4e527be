import type { Agent, Dispatcher } from "undici";

import type { NetworkOptions } from "../api/options.ts";
import type { Hop } from "./hop.ts";

/** The response to one hop. The head has arrived; the body is still to be read or dropped. */
export interface Sent {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: readonly (readonly [string, string])[];
  /** True when the body still has the coding of `content-encoding`. */
  readonly encoded: boolean;
  /** The chunks of the body; may be read once. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Discards the body. */
  drop(signal: AbortSignal): void;
}

/** A part of a body; the cause says why it ended. */
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

/** Sends a hop over a connection of the agent to `origin`, which may differ from the URL's. */
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
  // An aborted body emits its error, which the reader gets too.
  response.body.on("error", () => undefined);
  return {
    status: response.statusCode,
    statusText: response.statusText,
    headers: listHeaders(response.headers),
    encoded: true,
    chunks: () => response.body as AsyncIterable<Uint8Array>,
    // Reads the body in the background, so that the connection can be reused.
    drop: (signal) => void response.body.dump({ limit: droppedBytes, signal }).catch(() => undefined),
  };
}

/** Waits that end with a signal, also when the awaited code ignores it. */
export interface AbortableWaits {
  /** Rejects with the reason of the signal once that is aborted. */
  orAborted<T>(wanted: Promise<T>): Promise<T>;
  /** Removes the listener from the signal. */
  end(): void;
}

export function abortableWaits(signal: AbortSignal): AbortableWaits {
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

/** Sends a hop with the embedder's `fetch`. */
export async function sendByFetch(
  fetch: NonNullable<NetworkOptions["fetch"]>,
  hop: Hop,
  signal: AbortSignal,
): Promise<Sent> {
  const { url, method, headers, body } = hop;
  const { orAborted, end } = abortableWaits(signal);
  const given: RequestInit = {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    redirect: "manual",
    signal,
  };
  // A copy, so that its memory is not shared.
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

/** Sends a hop with the embedder's `exchange`. */
export async function sendByExchange(
  exchange: NonNullable<NetworkOptions["exchange"]>,
  { url, method, headers, body }: Hop,
  signal: AbortSignal,
): Promise<Sent> {
  const { orAborted, end } = abortableWaits(signal);
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

/** Lets this process answer a hop. The body has the coding of its headers, as over the network. */
export async function sendInside(
  answer: NonNullable<NetworkOptions["exchange"]>,
  hop: Hop,
  signal: AbortSignal,
): Promise<Sent> {
  return { ...(await sendByExchange(answer, hop, signal)), encoded: true };
}
