import { defaultAnswer, finalResponse, preflightAnswer, statusAnswer } from "./answer.ts";
import { receivedHead, storedRequest } from "./request-event.ts";
import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import { XError } from "../model/errors.ts";
import type { Inbox, NewTrigger } from "../invocation/inbox/inbox.ts";
import type { Component, Execution, PropShape, Source } from "../model/model.ts";
import type { TriggerOrigin } from "../model/trigger-origin.ts";
import type { GuestResponse } from "../sandbox/contract.ts";
import type { Observer, Span, Tracing } from "../observe/contract.ts";
import type { CallFromInside, Elsewhere, EndpointSources, SourceAway, SourceHere } from "./endpoint-sources.ts";
import { beginIngress, endIngress, waitIn } from "./ingress-span.ts";
import type { Change } from "../store/contract.ts";
import type { Transitions } from "../invocation/lane/transitions.ts";

export interface EndpointParts {
  readonly endpointSources: EndpointSources;
  readonly inbox: Inbox;
  readonly transitions: Transitions;
  readonly bodyBytes: number;
  /** True for a source whose executions are stored. */
  keepsExecutions(source: Source): boolean;
  readonly tracing?: Tracing | undefined;
  readonly observer: Pick<Observer, "working">;
  /** With several nodes. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Committed together with the trigger. */
  readonly also?: readonly Change[];
}

/** The status when `run` ended without a response: a 5xx, so that senders try again. */
const afterRun = (execution: Execution): 500 | 504 => (execution.status === "timeout" ? 504 : 500);

/** The response to a request that the inbox refused; undefined for other errors. */
function refusal({ code }: XError): EndpointResponse | undefined {
  if (code === "queue_full") return statusAnswer(429, { retryAfterSeconds: 1 });
  if (code === "closed" || code === "store_unavailable") return statusAnswer(503, { retryAfterSeconds: 1 });
  return code === "not_found" || code === "inactive" ? statusAnswer(404) : undefined;
}

/** A stored request whose client waits for the component's own response. */
interface WaitingRequest {
  readonly method: string;
  readonly response: Promise<GuestResponse>;
  readonly done: Promise<Execution>;
  readonly span: Span | undefined;
  readonly leave?: () => void;
}

const isWaiting = (answer: EndpointResponse | WaitingRequest): answer is WaitingRequest => "done" in answer;

/** What led to the request, if it is known. */
function originOf(inside: CallFromInside | undefined, trace: string | undefined): { readonly origin?: TriggerOrigin } {
  const cause = inside?.cause;
  if (!cause && trace === undefined) return {};
  return { origin: { ...(cause && { cause }), ...(trace !== undefined && { trace }) } };
}

const fromInside = (
  inside: CallFromInside | undefined,
  span: Span | undefined,
  { also }: Pick<EndpointParts, "also">,
): Pick<NewTrigger, "hops" | "origin" | "also"> => ({
  ...(inside && { hops: inside.hops }),
  ...originOf(inside, span?.traceparent),
  ...(also && { also }),
});

/** Stores the trigger of a request; resolves with the answer when no response of the component is needed. */
async function storeRequest(
  key: string,
  request: EndpointRequest,
  parts: EndpointParts,
  inside: CallFromInside | undefined,
): Promise<EndpointResponse | WaitingRequest> {
  // Who asks with `also` has entered the source: asking for it again, elsewhere, would wait for its own end.
  const found = await parts.endpointSources.find(key, inside !== undefined || parts.also !== undefined);
  if (!found) return statusAnswer(404);
  if ("awayId" in found) return askElsewhere(found, key, request, parts, inside);
  let isWaited = false;
  try {
    const answer = await storeFor(found, key, request, parts, inside);
    isWaited = isWaiting(answer);
    return answer;
  } finally {
    if (!isWaited) found.leave?.();
  }
}

const isTooLarge = ({ body }: EndpointRequest, { bodyBytes }: EndpointParts): boolean => body.byteLength > bodyBytes;

/** Its node stores the trigger behind those that it has: requests that are sent one after another run in that order. */
async function askElsewhere(
  { awayId }: SourceAway,
  key: string,
  request: EndpointRequest,
  parts: EndpointParts,
  inside: CallFromInside | undefined,
): Promise<EndpointResponse> {
  if (isTooLarge(request, parts)) return statusAnswer(413);
  return parts.elsewhere?.ask(awayId, key, request, inside) ?? statusAnswer(404);
}

/** The HTTP prop with this key. */
function findProp(key: string, { endpoints }: Source, { shape }: Component): PropShape | undefined {
  const httpProp = Object.keys(endpoints).find((name) => endpoints[name] === key);
  return httpProp === undefined ? undefined : shape.props.find(({ name }) => name === httpProp);
}

const requestedHeaders = ({ headers }: EndpointRequest): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === "access-control-request-headers")?.[1];

async function storeFor(
  found: SourceHere,
  key: string,
  request: EndpointRequest,
  parts: EndpointParts,
  inside: CallFromInside | undefined,
): Promise<EndpointResponse | WaitingRequest> {
  const { source, component } = found;
  if (isTooLarge(request, parts)) return statusAnswer(413);
  const prop = findProp(key, source, component);
  if (!prop) return statusAnswer(404);
  const { name: httpProp, customResponse: custom = false } = prop;
  if (!custom && request.method.toUpperCase() === "OPTIONS") return preflightAnswer(requestedHeaders(request));
  parts.observer.working("the request of an endpoint", source.id);
  const stored = await storedRequest(request);
  // A request that arrives while a hook runs does not wait for the lane.
  if (custom && !parts.transitions.bySource(source.id)) inside?.willWaitFor(source.id);
  const span = parts.tracing && beginIngress(parts.tracing, request, source, inside?.userId);
  const { id: sourceId, userId } = source;
  const received = parts.keepsExecutions(source) && { received: receivedHead(request) };
  const given = { ...stored, ...received, httpProp, ...fromInside(inside, span, parts) };
  const trigger = { sourceId, userId, type: "HTTP", ...given } as const;
  if (custom) return acceptWaiting(trigger, request, parts, span, found);
  await waitIn(span, parts.inbox.accept(trigger));
  return endIngress(span, defaultAnswer());
}

/** Stores the trigger of a request whose client waits. */
async function acceptWaiting(
  trigger: NewTrigger,
  { method }: EndpointRequest,
  parts: EndpointParts,
  span: Span | undefined,
  { leave }: SourceHere,
): Promise<WaitingRequest> {
  const response = Promise.withResolvers<GuestResponse>();
  const { done } = await waitIn(span, parts.inbox.accept({ ...trigger, respond: response.resolve }));
  return { method, response: response.promise, done, span, ...(leave && { leave }) };
}

/** The component's own response, or a status when its run ended without one. */
async function waitForResponse({ method, response, done, span, leave }: WaitingRequest): Promise<EndpointResponse> {
  if (leave) done.then(leave, leave);
  const first = await waitIn(span, Promise.race([response, done]));
  return endIngress(span, "executionId" in first ? statusAnswer(afterRun(first)) : finalResponse(method, first));
}

/**
 * Answers one request to an endpoint: stores its trigger, then returns the default or the component's own response. A call
 * that waits for the component does not hold the body of its request, which the store has.
 */
export function answerRequest(
  key: string,
  request: EndpointRequest,
  parts: EndpointParts,
  inside?: CallFromInside,
): Promise<EndpointResponse> {
  return storeRequest(key, request, parts, inside)
    .then((answer) => (isWaiting(answer) ? waitForResponse(answer) : answer))
    .catch(refusedAnswer);
}

function refusedAnswer(error: unknown): EndpointResponse {
  const refused = XError.is(error) ? refusal(error) : undefined;
  if (refused) return refused;
  throw error;
}
