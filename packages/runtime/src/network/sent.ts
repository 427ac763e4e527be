import type { Agent, Dispatcher } from "undici";

import type { NetworkOptions } from "../options.ts";
import type { Hop } from "./hop.ts";

/** The answer to one hop: its head has arrived, its body is read or dropped. */
export interface Sent {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: readonly (readonly [string, string])[];
  /** The body is what `content-encoding` says; false: it is decoded already. */
  readonly encoded: boolean;
  /** Undefined when there is more than `limit` bytes. */
  read(limit: number): Promise<Uint8Array | undefined>;
  /** Nobody wants the body. */
  drop(signal: AbortSignal): void;
}

async function readAll(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) return undefined;
    read.push(chunk);
  }
  return Buffer.concat(read);
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
    read: (limit) => readAll(response.body as AsyncIterable<Uint8Array>, limit),
    // Read in the background, so that the connection can be used again.
    drop: (signal) => void response.body.dump({ limit: droppedBytes, signal }).catch(() => undefined),
  };
}

/** Sends a hop by the function that the embedder gave; one that ignores the signal is not waited for. */
export async function sendByFetch(
  fetch: NonNullable<NetworkOptions["fetch"]>,
  hop: Hop,
  signal: AbortSignal,
): Promise<Sent> {
  const { url, method, headers, body } = hop;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  const orAborted = <T>(wanted: Promise<T>): Promise<T> => Promise.race([wanted, aborted.promise]);
  aborted.promise.catch(() => undefined);
  if (signal.aborted) abort();
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
    async read(limit) {
      const read = response.body ? await orAborted(readAll(response.body, limit)) : new Uint8Array(0);
      signal.removeEventListener("abort", abort);
      return read;
    },
    drop: () => void response.body?.cancel().catch(() => undefined),
  };
}
