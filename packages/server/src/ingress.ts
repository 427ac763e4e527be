import type { EndpointRequest, EndpointTarget, Runtime } from "@x/runtime";

import { type Answer, type ClientInfo, readBody } from "@x/http";
import type { Budgets } from "./budget/memory-budgets.ts";

function headerPairs(request: Request, raw: readonly string[] | undefined): (readonly [string, string])[] {
  if (!raw) return [...request.headers];
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    pairs.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  }
  return pairs;
}

const clientUrl = ({ url }: Request, { originalUrl }: ClientInfo): string =>
  originalUrl === undefined ? url : new URL(url).origin + originalUrl;

interface EndpointCall {
  readonly target: EndpointTarget;
  readonly url: URL;
  readonly client: ClientInfo;
  readonly bodyBytes: number;
  readonly budgets: Budgets;
}

async function readRequest(request: Request, call: EndpointCall): Promise<EndpointRequest> {
  const { target, url, client, budgets } = call;
  const { target: sent = client.originalUrl, httpVersion } = client;
  return {
    method: request.method,
    path: target.path,
    ...(sent !== undefined && { target: sent }),
    ...(httpVersion !== undefined && { httpVersion }),
    url: clientUrl(request, client),
    search: url.search.slice(1),
    headers: headerPairs(request, client.rawHeaders),
    body: await readBody(request, { limit: call.bodyBytes, open: () => budgets.requests.open(target.key) }),
    clientIp: client.clientIp ?? "",
  };
}

/** The component's answer to a request. */
export async function answerEndpoint(runtime: Runtime, request: Request, call: EndpointCall): Promise<Answer> {
  const { key } = call.target;
  // Before the body is read: a caller that does not read its answers gets no more.
  const hold = call.budgets.endpointAnswers.open(key);
  try {
    // No variable of this function, which waits for the component, holds the body.
    const answer = await readRequest(request, call).then((given) => runtime.request(key, given));
    hold.resize(answer.body.byteLength);
    return { ...answer, hold };
  } catch (error) {
    hold.release();
    throw error;
  }
}
