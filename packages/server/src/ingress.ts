import type { Runtime } from "@x/runtime";

import type { Answer } from "./answer.ts";
import { readBody } from "./body.ts";
import type { Budgets } from "./budget/budgets.ts";

/** Facts about the client that a Web-standard request lacks. */
export interface ClientInfo {
  readonly clientIp?: string;
  /** Header names and values in turn, as received. */
  readonly rawHeaders?: readonly string[];
  /** Path and query as the client sent them, when a router has removed a prefix from the URL. */
  readonly originalUrl?: string;
}

/** The target of a request to an HTTP endpoint: its key, and the path below it. */
export interface EndpointTarget {
  readonly key: string;
  readonly path: string;
}

const byPath = /^\/in\/([^/]+)(\/.*)?$/;
const byHost = /^([0-9a-z]{26,63})\.localhost$/;

/** The endpoint of a URL, in the path form or the host form; undefined for other URLs. */
export function findEndpoint(url: URL): EndpointTarget | undefined {
  const host = byHost.exec(url.hostname);
  if (host?.[1]) return { key: host[1], path: url.pathname };
  const path = byPath.exec(url.pathname);
  return path?.[1] ? { key: path[1], path: path[2] ?? "/" } : undefined;
}

function headerPairs(request: Request, raw: readonly string[] | undefined): (readonly [string, string])[] {
  if (!raw) return [...request.headers];
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    pairs.push([(raw[index] ?? "").toLowerCase(), raw[index + 1] ?? ""]);
  }
  return pairs;
}

const clientUrl = ({ url }: Request, { originalUrl }: ClientInfo): string =>
  originalUrl === undefined ? url : new URL(url).origin + originalUrl;

/** The component's answer to a request. */
export async function answerEndpoint(
  runtime: Runtime,
  request: Request,
  target: EndpointTarget,
  options: { url: URL; client: ClientInfo; bodyBytes: number; budgets: Budgets },
): Promise<Answer> {
  const { budgets } = options;
  // Before the body is read: a caller that does not read its answers gets no more.
  const hold = budgets.endpointAnswers.open(target.key);
  try {
    const body = await readBody(request, { limit: options.bodyBytes, open: () => budgets.requests.open(target.key) });
    const {
      status,
      headers,
      body: bytes,
    } = await runtime.request(target.key, {
      method: request.method,
      path: target.path,
      url: clientUrl(request, options.client),
      search: options.url.search.slice(1),
      headers: headerPairs(request, options.client.rawHeaders),
      body,
      clientIp: options.client.clientIp ?? "",
    });
    hold.resize(bytes.byteLength);
    return { status, headers, body: bytes, hold };
  } catch (error) {
    hold.release();
    throw error;
  }
}
