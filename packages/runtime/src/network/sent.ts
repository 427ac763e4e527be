import type { IncomingMessage } from "node:http";

import type { NetworkOptions } from "../api/options.ts";
import type { Connections } from "./connection.ts";
import { asFetchError } from "./fetch-error.ts";
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

/** The headers of a message as pairs; repeated ones are as many pairs. */
function* headerPairs({ rawHeaders }: IncomingMessage): Generator<[string, string], void> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    yield [rawHeaders[index]?.toLowerCase() ?? "", rawHeaders[index + 1] ?? ""];
}

const droppedBytes = 64 * 1024;

/** Reads a body to its end, so that the connection can be reused; destroys the connection when it is long. */
async function drop(body: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > droppedBytes) break;
    }
  } catch {
    // The connection broke.
  }
}

/** Sends a hop over a connection to `origin`, which may differ from the URL's. */
export async function sendOver(
  connections: Connections,
  { url, method, headers, body }: Hop,
  origin: URL,
  signal: AbortSignal,
): Promise<Sent> {
  const request = { origin, path: url.pathname + url.search, method, headers, body };
  const response = await connections.send(request, signal);
  // An aborted body emits its error, which the reader gets too.
  response.on("error", () => undefined);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? "",
    headers: [...headerPairs(response)],
    encoded: true,
    async *chunks() {
      try {
        yield* response as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw asFetchError(error);
      }
    },
    drop: () => void drop(response),
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
