import { hostOp } from "../ops.ts";
import { bytesOf } from "./body.ts";
import { decodeText, effect, send } from "./host.ts";
import { type LeftWork, noteLate } from "./left-work.ts";
import { beginOrigin, enterOrigin, type Origin } from "./origin.ts";
import { pairsOf } from "./headers.ts";
import { followedSignal, Request, type RequestOptions } from "./request.ts";
import { receivedResponse, type Response } from "./response.ts";
import { exactBuffer } from "./text.ts";

interface Waiting {
  /** Method and URL; absent for a call of a data store, which ends although nothing waits for it. */
  readonly request?: string;
  readonly resolve: (reply: Reply, body: ArrayBuffer | undefined) => void;
  readonly reject: (failure: Failure) => void;
  /** Created at the call, because its stack is lost afterwards. */
  readonly failure: Error;
  readonly origin: Origin;
}

interface Failure {
  readonly message: string;
  readonly code: string;
  readonly [field: string]: unknown;
}

interface Reply {
  readonly id: number;
  readonly error?: Failure;
  /** Why the body is incomplete. */
  readonly cut?: Failure;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: [string, string][];
  readonly redirected: boolean;
}

const { stringify } = JSON;
const waiting = new Map<number, Waiting>();
let lastId = 0;

export function fetch(input: unknown, options: RequestOptions = {}): Promise<Response> {
  let request: Request;
  try {
    request = new Request(input, options);
  } catch (error) {
    return Promise.reject(error);
  }
  const signal = followedSignal(request);
  if (signal?.aborted) return Promise.reject(signal.reason);
  const { url, method, redirect } = request;
  const sendable = { url, method, headers: pairsOf(request.headers), redirect, signal };
  const body = bytesOf(request);
  if (!(body instanceof Promise)) return sendRequest(sendable, body);
  // A stream is read to its end first: the host receives requests as a whole.
  const aborted = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([body, aborted]).then(
    (bytes) => sendRequest(sendable, bytes),
    (error: unknown) => {
      throw signal?.aborted ? signal.reason : new TypeError("fetch failed", { cause: error });
    },
  );
}

/** A request for the host, which checks it. */
export interface Sendable {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly redirect: "follow" | "manual" | "error";
  readonly verbatim?: boolean;
  /** Aborts the request. */
  readonly signal: { readonly reason: unknown; addEventListener(type: "abort", run: () => void): void } | undefined;
}

/** Sends a request that need not be a Request of the Fetch standard. */
export function sendRequest(request: Sendable, body: Uint8Array | undefined): Promise<Response> {
  const { signal, ...rest } = request;
  const id = ++lastId;
  const head = { ...rest, id };
  const failure = new TypeError("fetch failed");
  return new Promise((resolve, reject) => {
    waiting.set(id, {
      request: `${head.method} ${head.url}`,
      resolve({ cut, ...reply }, received) {
        const content = cut ? cutBody(received, cut) : (received ?? new ArrayBuffer(0));
        const { url, status, statusText, headers, redirected } = reply;
        resolve(receivedResponse(content, { type: "basic", url, redirected, status, statusText, headers }));
      },
      reject(cause) {
        Object.defineProperty(failure, "cause", { value: errorOf(cause), configurable: true, writable: true });
        reject(failure);
      },
      failure,
      origin: beginOrigin(failure),
    });
    signal?.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      send(hostOp.fetchAbort, String(id));
      reject(signal.reason);
    });
    send(hostOp.fetch, stringify(head), body === undefined ? undefined : exactBuffer(body));
  });
}

const errorOf = ({ message, ...fields }: Failure): Error => Object.assign(new Error(message), fields);

async function* cutBody(body: ArrayBuffer | undefined, failure: Failure): AsyncGenerator<Uint8Array> {
  if (body && body.byteLength > 0) yield new Uint8Array(body);
  throw new TypeError("terminated", { cause: errorOf(failure) });
}

/** Takes the host's reply; a failure rejects with a TypeError whose cause is the reason, as in Node. */
export function settleFetch(reply: Reply, body: ArrayBuffer | undefined): void {
  const promise = waiting.get(reply.id);
  if (!promise) return;
  waiting.delete(reply.id);
  enterOrigin(promise.origin);
  if (reply.error) promise.reject(reply.error);
  else promise.resolve(reply, body);
}

/** One call of a data store, for the host. */
export interface DataStoreAsked {
  readonly prop: string;
  readonly op: string;
  readonly key?: string;
}

/** Calls a data store. `value` and the answer are JSON texts; an empty answer stands for undefined. */
export function askDataStore(dataStore: DataStoreAsked, value = ""): Promise<string> {
  const id = ++lastId;
  const failure = new Error();
  return new Promise((resolve, reject) => {
    // Throws when the host refuses it.
    effect(hostOp.dataStore, `${stringify({ id, dataStore })}\n${value}`);
    if (dataStore.op === "set" || dataStore.op === "delete") noteLate("data_store", dataStore.key ?? "");
    waiting.set(id, {
      resolve: (_reply, body) => resolve(body === undefined ? "" : (decodeText(body, "utf-8", false, true) ?? "")),
      reject({ message, ...fields }) {
        Object.defineProperty(failure, "message", { value: message, configurable: true, writable: true });
        reject(Object.assign(failure, fields));
      },
      failure,
      origin: beginOrigin(failure),
    });
  });
}

/** Describes a request without an answer, and forgets it. */
export function leftRequest(id: number): LeftWork | undefined {
  const left = waiting.get(id);
  waiting.delete(id);
  return left?.request === undefined
    ? undefined
    : { kind: "request", detail: left.request, stack: left.failure.stack ?? "" };
}

export const pendingFetches = (): number => waiting.size;
