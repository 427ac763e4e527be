import { hostOp } from "../sandbox/ops.ts";
import { Request, type RequestOptions, Response } from "./body.ts";
import { send } from "./host.ts";
import { exactBuffer } from "./text.ts";

interface Waiting {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
}

interface Reply {
  readonly id: number;
  readonly error?: { readonly message: string; readonly code: string };
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: [string, string][];
  readonly redirected: boolean;
}

const waiting = new Map<number, Waiting>();
let lastId = 0;

export function fetch(input: unknown, options: RequestOptions = {}): Promise<Response> {
  let request: Request;
  try {
    request = new Request(input, options);
  } catch (error) {
    return Promise.reject(error);
  }
  if (request.signal.aborted) return Promise.reject(request.signal.reason);
  const id = ++lastId;
  const body = Request.bytesOf(request);
  const head = {
    id,
    url: request.url,
    method: request.method,
    headers: [...request.headers],
    redirect: request.redirect,
  };
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    request.signal.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      send(hostOp.fetchAbort, String(id));
      reject(request.signal.reason);
    });
    send(hostOp.fetch, JSON.stringify(head), body === undefined ? undefined : exactBuffer(body));
  });
}

/** The host's answer; a failure is a TypeError with the reason as its cause, as in other runtimes. */
export function settleFetch(reply: Reply, body: ArrayBuffer | undefined): void {
  const promise = waiting.get(reply.id);
  if (!promise) return;
  waiting.delete(reply.id);
  if (reply.error) {
    const cause = Object.assign(new Error(reply.error.message), { code: reply.error.code });
    promise.reject(new TypeError("fetch failed", { cause }));
    return;
  }
  const empty = [101, 103, 204, 205, 304].includes(reply.status);
  const response = new Response(empty ? null : (body ?? new ArrayBuffer(0)), {
    status: Math.max(200, reply.status),
    statusText: reply.statusText,
    headers: reply.headers,
  });
  response.url = reply.url;
  response.redirected = reply.redirected;
  promise.resolve(response);
}

export const pendingFetches = (): number => waiting.size;
