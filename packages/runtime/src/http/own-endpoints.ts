import { XError } from "@x/model";

import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import type { Caller } from "../invocation/component-call.ts";
import type { AnswerInside } from "../network/egress.ts";
import type { PlainReply, PlainRequest } from "../api/options.ts";
import type { CallFromInside } from "./endpoint-sources.ts";
import { type EndpointTarget, findEndpoint } from "./endpoint-target.ts";
import { statusAnswer } from "./answer.ts";
import { createWaits } from "./waits.ts";

export interface OwnEndpointsParts {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Longest chain of endpoint calls and subscriptions. */
  readonly maxHops: number;
  /**
   * Takes the Content-Encoding from a body. Resolves with undefined when it is too large, and rejects with
   * `unsupported_media_type` or `malformed_request`.
   */
  decode(body: Uint8Array, contentEncoding: string): Promise<Uint8Array | undefined>;
  answer(key: string, request: EndpointRequest, inside: CallFromInside): Promise<EndpointResponse>;
}

/** Answers requests of components to endpoints of this server without the network. */
export interface OwnEndpoints {
  /** Returns, for a URL, the function that answers its requests; undefined for URLs of other servers. */
  answerFor(caller: Caller): AnswerInside;
}

/** The limit of Node's HTTP server for the head of a request. */
const maxHeadBytes = 16 * 1024;

/** The endpoint of a URL: a path under the public URL, or a host `<key>.localhost` with the same port. */
function findTarget(url: URL, { origin, port, pathname }: URL): EndpointTarget | undefined {
  if (!/^https?:$/.test(url.protocol)) return undefined;
  const mount = pathname.replace(/(?<!\/)\/+$/, "");
  const isBelow = url.origin === origin && url.pathname.startsWith(`${mount}/`);
  const target = findEndpoint(isBelow ? { hostname: url.hostname, pathname: url.pathname.slice(mount.length) } : url);
  return (target?.ownHost ? url.port === port : isBelow) ? target : undefined;
}

const bytesOfHead = ({ url, headers }: PlainRequest): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, url.length);

const nothing = new Uint8Array(0);

/** The request as the server would have received it. */
function arriving(
  { method, headers, body: sent }: PlainRequest,
  body: Uint8Array,
  url: URL,
  path: string,
): EndpointRequest {
  const length = sent?.byteLength ?? 0;
  return {
    method,
    path,
    httpVersion: "1.1",
    url: url.origin + url.pathname + url.search,
    search: url.search.slice(1),
    headers: [
      ["host", url.host],
      ...headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]),
      ...(length > 0 ? [["content-length", String(length)] as const] : []),
    ],
    body,
    clientIp: "127.0.0.1",
  };
}

/** The answer as the component would have received it. */
function leaving({ status, headers, body }: EndpointResponse): PlainReply {
  const length = status === 204 || status === 304 ? [] : [["content-length", String(body.byteLength)] as const];
  return {
    status,
    // An import reads all exports of node:http, and one of them loads undici.
    statusText: process.getBuiltinModule("node:http").STATUS_CODES[status] ?? "",
    headers: [...headers, ...length],
    body,
  };
}

export function createOwnEndpoints({ publicUrl, maxHops, decode, answer }: OwnEndpointsParts): OwnEndpoints {
  const publicBase = new URL(publicUrl);
  const waits = createWaits();

  /** The body as the server would have read it, or the status of the refusal. */
  async function arrivingBody({ headers, body = nothing }: PlainRequest): Promise<Uint8Array | 400 | 413 | 415> {
    const codings = headers.filter(([name]) => name.toLowerCase() === "content-encoding").map(([, value]) => value);
    if (codings.length === 0 || body.byteLength === 0) return body;
    try {
      return (await decode(body, codings.join())) ?? 413;
    } catch (error) {
      if (!XError.is(error)) throw error;
      return error.code === "unsupported_media_type" ? 415 : 400;
    }
  }

  async function ask(caller: Caller, target: EndpointTarget, url: URL, request: PlainRequest): Promise<PlainReply> {
    const { signal } = request;
    signal.throwIfAborted();
    if (bytesOfHead(request) > maxHeadBytes) return { status: 431, statusText: "", headers: [], body: nothing };
    if (caller.hops >= maxHops)
      throw new Error(
        `it is call ${caller.hops + 1} of endpoints and subscriptions one after another; the chain ends here`,
      );
    const body = await arrivingBody(request);
    if (typeof body === "number") return leaving(statusAnswer(body));
    signal.throwIfAborted();
    let release = (): void => undefined;
    const { sourceId: callerId, executionId } = caller;
    const inside: CallFromInside = {
      userId: caller.userId,
      hops: caller.hops + 1,
      ...(callerId !== undefined && {
        cause: { sourceId: callerId, ...(executionId !== undefined && { executionId }) },
      }),
      willWaitFor(sourceId) {
        const begun = caller.sourceId === undefined ? release : waits.begin(caller.sourceId, sourceId);
        if (!begun)
          throw new Error("it is answered by a run (customResponse: true) that cannot begin before this run has ended");
        release = begun;
      },
    };
    const end = (): void => release();
    signal.addEventListener("abort", end, { once: true });
    try {
      return leaving(await answer(target.key, arriving(request, body, url, target.path), inside));
    } finally {
      signal.removeEventListener("abort", end);
      release();
    }
  }

  return {
    answerFor: (caller) => (url) => {
      const target = findTarget(url, publicBase);
      return target && ((request) => ask(caller, target, url, request));
    },
  };
}
