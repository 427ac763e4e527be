import { STATUS_CODES } from "node:http";

import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import type { Caller } from "../invocation/execute.ts";
import type { AnswerInside } from "../network/egress.ts";
import type { PlainReply, PlainRequest } from "../api/options.ts";
import type { CallFromInside } from "./endpoint.ts";
import { createWaits } from "./waits.ts";

export interface OwnEndpointsParts {
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** Calls of endpoints and subscriptions that may follow one from another. */
  readonly mostHops: number;
  answer(key: string, request: EndpointRequest, inside: CallFromInside): Promise<EndpointResponse>;
}

/** Requests of components to endpoints of this server, which are answered inside it (S39). */
export interface OwnEndpoints {
  /** What answers a URL for this caller; undefined for every URL but those of endpoints. */
  answerFor(caller: Caller): AnswerInside;
}

/** As the server of Node has it for the head of a request. */
const mostHeadBytes = 16 * 1024;
const byHost = /^([0-9a-z]{26,63})\.localhost$/;
const byPath = /^\/in\/([^/]+)(\/.*)?$/;

interface Target {
  readonly key: string;
  /** Below the endpoint (S4). */
  readonly path: string;
}

/** The endpoint that a URL means: under the public URL, or by its host at the same port. */
function findTarget(url: URL, { origin, port, pathname }: URL): Target | undefined {
  if (!/^https?:$/.test(url.protocol)) return undefined;
  const key = url.port === port ? byHost.exec(url.hostname)?.[1] : undefined;
  if (key !== undefined) return { key, path: url.pathname };
  const mount = pathname.replace(/\/+$/, "");
  if (url.origin !== origin || !url.pathname.startsWith(`${mount}/in/`)) return undefined;
  const [, named, path = "/"] = byPath.exec(url.pathname.slice(mount.length)) ?? [];
  return named === undefined ? undefined : { key: named, path };
}

const bytesOfHead = ({ url, headers }: PlainRequest): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, url.length);

/** The request as it would have come over the wire. */
function arriving({ method, headers, body }: PlainRequest, url: URL, { path }: Target): EndpointRequest {
  const length = body?.byteLength ?? 0;
  return {
    method,
    path,
    url: url.origin + url.pathname + url.search,
    search: url.search.slice(1),
    headers: [
      ["host", url.host],
      ...headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]),
      ...(length > 0 ? [["content-length", String(length)] as const] : []),
    ],
    body: body ?? new Uint8Array(0),
    clientIp: "127.0.0.1",
  };
}

function leaving({ status, headers, body }: EndpointResponse): PlainReply {
  const length = status === 204 || status === 304 ? [] : [["content-length", String(body.byteLength)] as const];
  return { status, statusText: STATUS_CODES[status] ?? "", headers: [...headers, ...length], body };
}

export function createOwnEndpoints({ publicUrl, mostHops, answer }: OwnEndpointsParts): OwnEndpoints {
  const publicBase = new URL(publicUrl);
  const waits = createWaits();

  async function ask(caller: Caller, target: Target, url: URL, request: PlainRequest): Promise<PlainReply> {
    const { signal } = request;
    signal.throwIfAborted();
    if (bytesOfHead(request) > mostHeadBytes)
      return { status: 431, statusText: "", headers: [], body: new Uint8Array(0) };
    if (caller.hops >= mostHops)
      throw new Error(
        `it is call ${caller.hops + 1} of endpoints and subscriptions one after another; the chain ends here`,
      );
    let release = (): void => undefined;
    const inside: CallFromInside = {
      hops: caller.hops + 1,
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
      return leaving(await answer(target.key, arriving(request, url, target), inside));
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
