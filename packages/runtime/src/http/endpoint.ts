import { defaultAnswer, finalResponse, preflightAnswer, statusAnswer } from "./answer.ts";
import { receivedHead, storedRequest } from "./request-event.ts";
import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import { verifyOf } from "@x/components";
import type { Component, Execution, PropShape, Source, TriggerOrigin, Verification } from "@x/model";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { NewTrigger } from "../invocation/inbox/new-trigger.ts";
import type { GuestResponse } from "@x/sandbox";
import type { Observer, Span, Tracing } from "../observe/contract.ts";
import type { CallFromInside, EndpointSources } from "./endpoint-sources.ts";
import { beginIngress, endIngress, waitIn } from "./ingress-span.ts";
import { refusedAnswer, refuseLongBody, refuseLongHead } from "./refusals.ts";
import { registeredUrl } from "./called-url.ts";
import { proves } from "../signatures/described-scheme.ts";
import { storedVerification } from "../signatures/stored-verification.ts";
import { requestChanges, requestEntry, type RequestLog } from "./request-log.ts";
import { settleRequest } from "./verified-request.ts";
import { afterRun } from "./sent-status.ts";
import type { Transitions } from "../invocation/lane/transitions.ts";

export interface EndpointParts {
  readonly find: EndpointSources["find"];
  /** Answers a request to the endpoint of an app; undefined for a key that is none of an app. */
  answerApp(key: string, request: EndpointRequest): Promise<EndpointResponse | undefined>;
  readonly inbox: Pick<Inbox, "accept">;
  readonly transitions: Transitions;
  readonly bodyBytes: number;
  endpointUrl(key: string): string;
  /** Where requests to verified endpoints are recorded. */
  readonly log: Pick<RequestLog, "refused" | "add">;
  /** Epoch ms. */
  now(): number;
  /** The URL that the sender called. */
  urlOf(request: EndpointRequest, key: string): string;
  /** True where integers beyond 2^53 in JSON bodies are read as texts. */
  keepsIntegers(found: { readonly source: Source; readonly component: Component }): boolean;
  /** True for a source whose executions are stored. */
  keepsExecutions(source: Source): boolean;
  readonly tracing?: Tracing | undefined;
  readonly observer: Pick<Observer, "working">;
}

/** An accepted request whose client waits for the component's own response. */
interface WaitingRequest {
  readonly method: string;
  readonly response: Promise<GuestResponse>;
  readonly done: Promise<Execution>;
  readonly span: Span | undefined;
}

const isWaiting = (answer: EndpointResponse | WaitingRequest): answer is WaitingRequest => "done" in answer;

/** What led to the request, if it is known. */
function originOf(
  inside: CallFromInside | undefined,
  trace: string | undefined,
  isProven: boolean,
): { readonly origin?: TriggerOrigin } {
  const cause = inside?.cause;
  const origin = {
    ...(cause && { cause }),
    ...(trace !== undefined && { trace }),
    ...(isProven && { verified: true as const }),
  };
  return Object.keys(origin).length > 0 ? { origin } : {};
}

const fromInside = (
  inside: CallFromInside | undefined,
  span: Span | undefined,
  isProven: boolean,
): Pick<NewTrigger, "hops" | "origin"> => ({
  ...(inside && { hops: inside.hops }),
  ...originOf(inside, span?.traceparent, isProven),
});

/** The HTTP prop with this key. */
function findProp(key: string, { endpoints }: Source, { shape }: Component): PropShape | undefined {
  const httpProp = Object.keys(endpoints).find((name) => endpoints[name] === key);
  return httpProp === undefined ? undefined : shape.props.find(({ name }) => name === httpProp);
}

/** How requests to the endpoint of a prop are verified; undefined when they are not. */
const verificationFor = ({ configuredProps }: Source, { name }: PropShape): Verification | undefined =>
  storedVerification(verifyOf(Object.hasOwn(configuredProps, name) ? configuredProps[name] : undefined));

const requestedHeaders = ({ headers }: EndpointRequest): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === "access-control-request-headers")?.[1];

/** The answer to a request that is no event: a handshake, or one that does not prove who sent it. */
function settleAndRecord(
  source: Source,
  request: EndpointRequest,
  given: { readonly key: string; readonly verification: Verification; readonly began: number },
  parts: EndpointParts,
): EndpointResponse | undefined {
  const { key, verification, began } = given;
  const url = registeredUrl(parts.endpointUrl, request, key);
  const settled = settleRequest(request, verification, { url, now: began });
  if (!settled) return undefined;
  const entry = requestEntry(settled.outcome, began, parts.now(), settled.reason);
  if (settled.outcome === "challenge") parts.log.add(source.id, entry);
  else parts.log.refused(source.id, entry);
  return settled.answer;
}

const answerWithoutSource = async (
  key: string,
  request: EndpointRequest,
  { answerApp }: Pick<EndpointParts, "answerApp">,
): Promise<EndpointResponse> => (await answerApp(key, request)) ?? statusAnswer(404);

/** Accepts the trigger of a request; resolves with the answer when no response of the component is needed. */
async function acceptRequest(
  key: string,
  request: EndpointRequest,
  parts: EndpointParts,
  inside: CallFromInside | undefined,
): Promise<EndpointResponse | WaitingRequest> {
  const began = parts.now();
  const longHead = refuseLongHead(request);
  if (longHead) return longHead;
  const found = await parts.find(key);
  if (!found) return answerWithoutSource(key, request, parts);
  const { source, component } = found;
  const longBody = refuseLongBody(request, parts.bodyBytes);
  if (longBody) return longBody;
  const prop = findProp(key, source, component);
  if (!prop) return statusAnswer(404);
  const { name: httpProp, customResponse: custom = false } = prop;
  if (!custom && request.method.toUpperCase() === "OPTIONS") return preflightAnswer(requestedHeaders(request));
  const verification = verificationFor(source, prop);
  const settled = verification && settleAndRecord(source, request, { key, verification, began }, parts);
  if (settled) return settled;
  parts.observer.working("the request of an endpoint", source.id);
  const stored = storedRequest(request, parts.keepsIntegers(found));
  // A request that arrives while a hook runs does not wait for the lane.
  if (custom && !parts.transitions.bySource(source.id)) inside?.willWaitFor(source.id);
  const span = parts.tracing && beginIngress(parts.tracing, request, source, inside?.userId);
  const { id: sourceId, userId } = source;
  const received = parts.keepsExecutions(source) && { received: receivedHead(request) };
  const isProven = verification !== undefined && proves(verification);
  const given = { ...stored, ...received, httpProp, ...fromInside(inside, span, isProven) };
  const entry = verification && { ...requestEntry("delivered", began, parts.now()), triggers: 1 };
  const recorded = entry && { extraChanges: requestChanges(source.id, entry) };
  const trigger = { sourceId, userId, type: "HTTP", ...given, ...recorded } as const;
  if (custom) return acceptWaiting(trigger, request, parts, span);
  await waitIn(span, parts.inbox.accept(trigger));
  return endIngress(span, defaultAnswer());
}

/** Accepts the trigger of a request whose client waits. */
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
 * Answers one request to an endpoint: has its trigger accepted, then returns the default or the component's own response. A call
 * that waits for the component does not hold the body of its request, which the store has.
 */
export function answerRequest(
  key: string,
  request: EndpointRequest,
  parts: EndpointParts,
  inside?: CallFromInside,
): Promise<EndpointResponse> {
  return acceptRequest(key, { ...request, url: parts.urlOf(request, key) }, parts, inside)
    .then((answer) => (isWaiting(answer) ? waitForResponse(answer) : answer))
    .catch(refusedAnswer);
}
