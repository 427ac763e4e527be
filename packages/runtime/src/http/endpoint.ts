import { defaultAnswer, finalResponse, preflightAnswer, statusAnswer } from "./answer.ts";
import { receivedHead, storedRequest } from "./request-event.ts";
import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import type { Component, Execution, PropShape, Source, TriggerOrigin } from "@x/model";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { NewTrigger } from "../invocation/inbox/new-trigger.ts";
import type { GuestResponse } from "@x/sandbox";
import type { Observer, Span, Tracing } from "../observe/contract.ts";
import type { CallFromInside, EndpointSources } from "./endpoint-sources.ts";
import { beginIngress, endIngress, waitIn } from "./ingress-span.ts";
import { refusedAnswer, refuseLongBody, refuseLongHead } from "./refusals.ts";
import type { Transitions } from "../invocation/lane/transitions.ts";

export interface EndpointParts {
  readonly find: EndpointSources["find"];
  readonly inbox: Pick<Inbox, "accept">;
  readonly transitions: Transitions;
  readonly bodyBytes: number;
  /** The URL that the sender called. */
  urlOf(request: EndpointRequest, key: string): string;
  /** True where integers beyond 2^53 in JSON bodies are read as texts. */
  keepsIntegers(found: { readonly source: Source; readonly component: Component }): boolean;
  /** True for a source whose executions are stored. */
  keepsExecutions(source: Source): boolean;
  readonly tracing?: Tracing | undefined;
  readonly observer: Pick<Observer, "working">;
}

/** The status when `run` ended without a response: a 5xx, so that senders try again. */
const afterRun = (execution: Execution): 500 | 504 => (execution.status === "timeout" ? 504 : 500);

/** A stored request whose client waits for the component's own response. */
interface WaitingRequest {
  readonly method: string;
  readonly response: Promise<GuestResponse>;
  readonly done: Promise<Execution>;
  readonly span: Span | undefined;
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
): Pick<NewTrigger, "hops" | "origin"> => ({
  ...(inside && { hops: inside.hops }),
  ...originOf(inside, span?.traceparent),
});

/** The HTTP prop with this key. */
function findProp(key: string, { endpoints }: Source, { shape }: Component): PropShape | undefined {
  const httpProp = Object.keys(endpoints).find((name) => endpoints[name] === key);
  return httpProp === undefined ? undefined : shape.props.find(({ name }) => name === httpProp);
}

const requestedHeaders = ({ headers }: EndpointRequest): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === "access-control-request-headers")?.[1];

/** Stores the trigger of a request; resolves with the answer when no response of the component is needed. */
async function storeRequest(
  key: string,
  request: EndpointRequest,
  parts: EndpointParts,
  inside: CallFromInside | undefined,
): Promise<EndpointResponse | WaitingRequest> {
  const longHead = refuseLongHead(request);
  if (longHead) return longHead;
  const found = await parts.find(key);
  if (!found) return statusAnswer(404);
  const { source, component } = found;
  const longBody = refuseLongBody(request, parts.bodyBytes);
  if (longBody) return longBody;
  const prop = findProp(key, source, component);
  if (!prop) return statusAnswer(404);
  const { name: httpProp, customResponse: custom = false } = prop;
  if (!custom && request.method.toUpperCase() === "OPTIONS") return preflightAnswer(requestedHeaders(request));
  parts.observer.working("the request of an endpoint", source.id);
  const stored = storedRequest(request, parts.keepsIntegers(found));
  // A request that arrives while a hook runs does not wait for the lane.
  if (custom && !parts.transitions.bySource(source.id)) inside?.willWaitFor(source.id);
  const span = parts.tracing && beginIngress(parts.tracing, request, source, inside?.userId);
  const { id: sourceId, userId } = source;
  const received = parts.keepsExecutions(source) && { received: receivedHead(request) };
  const given = { ...stored, ...received, httpProp, ...fromInside(inside, span) };
  const trigger = { sourceId, userId, type: "HTTP", ...given } as const;
  if (custom) return acceptWaiting(trigger, request, parts, span);
  await waitIn(span, parts.inbox.accept(trigger));
  return endIngress(span, defaultAnswer());
}

/** Stores the trigger of a request whose client waits. */
async function acceptWaiting(
  trigger: NewTrigger,
  { method }: EndpointRequest,
  parts: EndpointParts,
  span: Span | undefined,
): Promise<WaitingRequest> {
  const response = Promise.withResolvers<GuestResponse>();
  const { done } = await waitIn(span, parts.inbox.accept({ ...trigger, respond: response.resolve }));
  return { method, response: response.promise, done, span };
}

/** The component's own response, or a status when its run ended without one. */
async function waitForResponse({ method, response, done, span }: WaitingRequest): Promise<EndpointResponse> {
  const first = await waitIn(span, Promise.race([response, done]));
  return endIngress(span, "executionId" in first ? statusAnswer(afterRun(first)) : finalResponse(method, first));
}

/** Answers one request to the endpoint with this key. */
export type Answer = (key: string, request: EndpointRequest, inside?: CallFromInside) => Promise<EndpointResponse>;

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
  return storeRequest(key, { ...request, url: parts.urlOf(request, key) }, parts, inside)
    .then((answer) => (isWaiting(answer) ? waitForResponse(answer) : answer))
    .catch(refusedAnswer);
}
