import { defaultAnswer, finalResponse, preflightAnswer, statusAnswer } from "./answer.ts";
import { receivedHead, storedRequest } from "./request-event.ts";
import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import { XError } from "../model/errors.ts";
import type { Inbox, NewTrigger } from "../invocation/inbox/inbox.ts";
import type { Component, Execution, PropShape, Source } from "../model/model.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import type { TriggerOrigin } from "../model/trigger-origin.ts";
import type { GuestResponse } from "../sandbox/contract.ts";
import type { Span, Tracing } from "../observe/contract.ts";
import { beginIngress, endIngress, waitIn } from "./ingress-span.ts";
import type { Change, Store } from "../store/contract.ts";
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
  /** With several nodes. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Committed together with the trigger. */
  readonly also?: readonly Change[];
}

/** Requests for sources that other nodes run. */
export interface Elsewhere {
  /**
   * Resolves, when this node runs the source, with a function to call when the client waits no longer; else with
   * undefined. `isInside`: for a run of this node, which may need the source while it is handed over, and for who has
   * entered it already.
   */
  enter(sourceId: string, isInside: boolean): Promise<(() => void) | undefined>;
  /** A source that is being changed by another node, and whose hooks may have registered this endpoint. */
  findChanging(key: string): Promise<Source | undefined>;
  /** The answer of the node that runs the source. */
  ask(sourceId: string, key: string, request: EndpointRequest, inside?: CallFromInside): Promise<EndpointResponse>;
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

/** The source of an endpoint. */
interface Found {
  readonly source: Source;
  /** Undefined: another node is changing it. */
  readonly component: Component | undefined;
  /** Another node runs it. */
  readonly isAway?: boolean;
  /** With several nodes: call it when the client waits no longer. */
  readonly leave?: () => void;
}

/** The active source of an endpoint, or the one whose hooks are running. */
async function findSource(key: string, parts: EndpointParts, isInside: boolean): Promise<Found | undefined> {
  const transition = parts.transitions.byEndpoint(key);
  if (transition) return transition;
  const source = await parts.store.sourceByEndpoint(key);
  const { elsewhere } = parts;
  if (!source?.active) {
    const changing = await elsewhere?.findChanging(key);
    return changing && { source: changing, component: undefined, isAway: true };
  }
  const leave = await elsewhere?.enter(source.id, isInside);
  if (elsewhere && !leave) return { source, component: await parts.sourceCache.component(source), isAway: true };
  try {
    const { source: current, component } = await parts.sourceCache.get(source.id);
    if (current.active) return { source: current, component, ...(leave && { leave }) };
  } catch (error) {
    leave?.();
    throw error;
  }
  leave?.();
  return undefined;
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
  const found = await findSource(key, parts, inside !== undefined || parts.also !== undefined);
  if (!found) return statusAnswer(404);
  let isWaited = false;
  try {
    const answer = await storeFor(found, key, request, parts, inside);
    isWaited = isWaiting(answer);
    return answer;
  } finally {
    if (!isWaited) found.leave?.();
  }
}

/** The HTTP prop with this key. */
function findProp(key: string, { endpoints }: Source, { shape }: Component): PropShape | undefined {
  const httpProp = Object.keys(endpoints).find((name) => endpoints[name] === key);
  return httpProp === undefined ? undefined : shape.props.find(({ name }) => name === httpProp);
}

const requestedHeaders = ({ headers }: EndpointRequest): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === "access-control-request-headers")?.[1];

async function storeFor(
  found: Found,
  key: string,
  request: EndpointRequest,
  parts: EndpointParts,
  inside: CallFromInside | undefined,
): Promise<EndpointResponse | WaitingRequest> {
  const { source, component, isAway = false } = found;
  const ask = parts.elsewhere?.ask ?? (async () => statusAnswer(404));
  if (!component) return ask(source.id, key, request, inside);
  if (request.body.byteLength > parts.bodyBytes) return statusAnswer(413);
  const prop = findProp(key, source, component);
  if (!prop) return statusAnswer(404);
  const { name: httpProp, customResponse: custom = false } = prop;
  if (!custom && request.method.toUpperCase() === "OPTIONS") return preflightAnswer(requestedHeaders(request));
  // Its node stores the trigger behind those that it has: requests that are sent one after another run in that order.
  if (isAway) return ask(source.id, key, request, inside);
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
  { leave }: Found,
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
