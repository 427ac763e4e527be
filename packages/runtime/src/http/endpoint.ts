import { defaultAnswer, finalResponse, preflightAnswer, statusAnswer } from "./answer.ts";
import { receivedHead, storedRequest } from "./request-event.ts";
import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import { XError } from "../model/errors.ts";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { Component, Execution, Source } from "../model/model.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import type { TriggerOrigin } from "../model/trigger-origin.ts";
import type { GuestResponse } from "../sandbox/contract.ts";
import type { Span, Tracing } from "../observe/contract.ts";
import { beginIngress, endIngress, waitIn } from "./ingress-span.ts";
import type { Store } from "../store/contract.ts";
import type { ExecutionCause } from "../model/trigger-origin.ts";
import type { Transitions } from "../invocation/lane/transitions.ts";

export interface EndpointParts {
  readonly store: Store;
  readonly sourceCache: SourceCache;
  readonly inbox: Inbox;
  readonly transitions: Transitions;
  readonly bodyBytes: number;
  /** True for a source whose executions are stored. */
  keepsExecutions(source: Source): boolean;
  readonly tracing?: Tracing | undefined;
}

/** A request from a run of this runtime. */
export interface CallFromInside {
  /** Owner of the component that sends it. */
  readonly userId: string;
  /** Hops of the trigger. */
  readonly hops: number;
  readonly cause?: ExecutionCause;
  /** Call before the caller waits for a run of that source; throws when the caller would wait for itself. */
  willWaitFor(sourceId: string): void;
}

/** The status when `run` ended without a response: a 5xx, so that senders try again. */
const afterRun = (execution: Execution): 500 | 504 => (execution.status === "timeout" ? 504 : 500);

/** The response to a request that the inbox refused; undefined for other errors. */
function refusal({ code }: XError): EndpointResponse | undefined {
  if (code === "queue_full") return statusAnswer(429, { retryAfterSeconds: 1 });
  if (code === "closed" || code === "store_unavailable") return statusAnswer(503, { retryAfterSeconds: 1 });
  return code === "not_found" || code === "inactive" ? statusAnswer(404) : undefined;
}

/** The active source of an endpoint, or the one whose hooks are running. */
async function findSource(
  key: string,
  parts: EndpointParts,
): Promise<{ source: Source; component: Component } | undefined> {
  const transition = parts.transitions.byEndpoint(key);
  if (transition) return transition;
  const source = await parts.store.sourceByEndpoint(key);
  if (!source?.active) return undefined;
  const cached = await parts.sourceCache.get(source.id);
  return cached.source.active ? cached : undefined;
}

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

/** Stores the trigger of a request; resolves with the answer when no response of the component is needed. */
async function storeRequest(
  key: string,
  request: EndpointRequest,
  parts: EndpointParts,
  inside: CallFromInside | undefined,
): Promise<EndpointResponse | WaitingRequest> {
  const found = await findSource(key, parts);
  if (!found) return statusAnswer(404);
  const { source: current, component } = found;
  if (request.body.byteLength > parts.bodyBytes) return statusAnswer(413);
  const httpProp = Object.keys(current.endpoints).find((name) => current.endpoints[name] === key);
  const prop = component.shape.props.find(({ name }) => name === httpProp);
  if (httpProp === undefined || !prop) return statusAnswer(404);
  const custom = prop.customResponse === true;
  const { method } = request;
  if (!custom && method.toUpperCase() === "OPTIONS") {
    return preflightAnswer(
      request.headers.find(([name]) => name.toLowerCase() === "access-control-request-headers")?.[1],
    );
  }
  const stored = await storedRequest(request);
  // A request that arrives while a hook runs does not wait for the lane.
  if (custom && !parts.transitions.bySource(current.id)) inside?.willWaitFor(current.id);
  const response = Promise.withResolvers<GuestResponse>();
  const span = parts.tracing && beginIngress(parts.tracing, request, current, inside?.userId);
  const accepting = parts.inbox.accept({
    sourceId: current.id,
    userId: current.userId,
    type: "HTTP",
    ...stored,
    ...(parts.keepsExecutions(current) && { received: receivedHead(request) }),
    httpProp,
    ...(inside && { hops: inside.hops }),
    ...originOf(inside, span?.traceparent),
    ...(custom && { respond: response.resolve }),
  });
  const { done } = await waitIn(span, accepting);
  return custom ? { method, response: response.promise, done, span } : endIngress(span, defaultAnswer());
}

/** The component's own response, or a status when its run ended without one. */
async function waitForResponse({ method, response, done, span }: WaitingRequest): Promise<EndpointResponse> {
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
