import { type Accounts, type Renewals, type Renewed, renewingFetch } from "@x/accounts";
import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import { createDispatcher, type Clock, type Dispatcher, type Holding, type Logger, type Source } from "@x/model";
import { createAuthorSources, type PropsRules } from "@x/components";
import type { Live } from "../events/live.ts";
import type { CommitTimes } from "../executions/commit-times.ts";
import type { LiveExecutions } from "../executions/live-executions.ts";
import { createRecorder, keptOf } from "../executions/recorder.ts";
import { calledUrl } from "../http/called-url.ts";
import { type Answer, answerRequest } from "../http/endpoint.ts";
import type { AnswerApp } from "../app-events/answer-app.ts";
import type { RequestLog } from "../http/request-log.ts";
import { createEndpointSources, type EndpointSources } from "../http/endpoint-sources.ts";
import { joinBody } from "../http/request-event.ts";
import { decodeBody, readCodings } from "../network/decoded-body.ts";
import { createOwnEndpoints } from "../http/own-endpoints.ts";
import type { Caller } from "../invocation/component-call.ts";
import type { Backlog } from "../invocation/inbox/backlog.ts";
import { createInbox, type Inbox } from "../invocation/inbox/inbox.ts";
import { createTriggerEvents, type TriggerEvents } from "../invocation/inbox/trigger-events.ts";
import type { InvokeParts } from "../invocation/invoke.ts";
import {
  type CachedSource,
  createSourceCache,
  type ExternalDb,
  type SourceCache,
} from "../invocation/lane/source-cache.ts";
import { createTransitions, type Transitions } from "../invocation/lane/transitions.ts";
import { createSecretMasks } from "../invocation/secrets/secret-mask.ts";
import type { Observer, Tracing } from "../observe/contract.ts";
import type { Egress } from "../network/egress.ts";
import type { CallHost } from "@x/sandbox";
import { externalDb as createExternalDb } from "@x/store";
import type { Listeners } from "../subscriptions/listeners.ts";
import type { ComponentsBase } from "./assemble-components.ts";
import { createTimers, type Timers } from "../timers/timers.ts";
import { createSharedEndpoint } from "../nodes/shared-endpoint.ts";
import type { Node } from "./assemble-node.ts";

export interface InvocationBase extends Omit<ComponentsBase, "engine"> {
  readonly listeners: Listeners;
  readonly backlog: Backlog;
  readonly live: Live;
  readonly liveExecutions: LiveExecutions;
  readonly commitTimes: CommitTimes;
  readonly accounts: Accounts;
  readonly renewals: Renewals;
  readonly props: PropsRules;
  readonly egress: Egress;
  readonly observer: Observer;
  readonly tracing: Tracing | undefined;
  readonly publicUrl: string;
  readonly holding: Holding;
  readonly node: Node | undefined;
  readonly answerApp: AnswerApp;
  readonly requestLog: Pick<RequestLog, "refused" | "add">;
  endpointUrl(key: string): string;
  isUnregistered(sourceId: string): boolean;
}

/** The lanes of sources. */
export interface Lanes {
  readonly dispatcher: Dispatcher;
  /** One lane for all triggers that may have crashed the process. */
  readonly suspects: Dispatcher;
  readonly transitions: Transitions;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs of sources and their triggers: inbox, timers, endpoints. */
export interface Invocation {
  readonly invokeParts: InvokeParts;
  readonly lanes: Lanes;
  readonly sourceCache: SourceCache;
  readonly externalDb: ExternalDb | undefined;
  readonly triggerEvents: TriggerEvents;
  readonly endpointSources: EndpointSources;
  readonly inbox: Inbox;
  readonly timers: Timers;
  /** Answers a request to the endpoint with this key. */
  answer(key: string, request: EndpointRequest): Promise<EndpointResponse>;
}

export function assembleInvocation(base: InvocationBase): Invocation {
  const { options, limits, clock, logger, store, listeners, backlog, isUnregistered, endpointUrl, publicUrl, holding } =
    base;
  const externalDb = options.keyv && createExternalDb(options.keyv);
  const sourceCache = createSourceCache(store, externalDb, holding);
  const dispatcher = createDispatcher();
  const transitions = createTransitions();
  const lanes = { dispatcher, suspects: createDispatcher(), transitions, clock, logger };
  const triggerEvents = createTriggerEvents({ store, joinBody });
  const sources = createAuthorSources();
  const masks = createSecretMasks();
  const keepsIntegers = ({ source, component }: Pick<CachedSource, "source" | "component">): boolean =>
    source.settings.exactIntegers ?? component.shape.exactIntegers ?? options.exactIntegers ?? false;
  const { credentials } = base.accounts;
  const invokeParts: InvokeParts = {
    sandbox: base.sandbox,
    store,
    sourceCache,
    externalDb,
    fetchFor: (caller: Caller, renewed: Renewed): CallHost["fetch"] => {
      const inside = ownEndpoints.answerFor(caller);
      const fetch: CallHost["fetch"] = (request, signal, hold) =>
        base.egress.fetch(request, signal, { inside, hold, sender: caller });
      return renewingFetch(fetch, base.renewals, { userId: caller.userId, renewed });
    },
    now: () => clock.now(),
    observer: base.observer,
    tracing: base.tracing,
    recorder: createRecorder({ clock, limits, sources, live: base.liveExecutions, commitTimes: base.commitTimes }),
    callRules: { props: base.props, limits, credentials, endpointUrl, store, keepsIntegers, text: base.texts.get },
    publish: base.live.publish,
    settleRules: () => ({
      now: clock.now(),
      masks,
      limits,
      transactional: options.transactional ?? false,
      hasListeners: ({ id, userId }: { id: string; userId: string }) =>
        // A new source gets its auto-subscriptions only in the commit of its hooks.
        listeners.candidates(id).length > 0 || listeners.autoSubscriptions(userId).length > 0,
      sources,
    }),
  };
  const inbox = createInbox({
    ...invokeParts,
    ...lanes,
    limits,
    backlog,
    triggerEvents,
    holding,
    isUnregistered,
  });
  const endpointSources = createEndpointSources({ store, sourceCache, transitions });
  const endpoint = {
    find: endpointSources.find,
    answerApp: base.answerApp,
    inbox,
    transitions,
    bodyBytes: limits.httpBodyBytes,
    tracing: base.tracing,
    observer: base.observer,
    keepsIntegers,
    keepsExecutions: (source: Source): boolean => keptOf(source, limits).keep > 0,
    endpointUrl,
    log: base.requestLog,
    now: () => clock.now(),
    urlOf: options.publicUrl === undefined ? ({ url }: EndpointRequest) => url : calledUrl(endpointUrl),
  };
  const answer: Answer = base.node
    ? createSharedEndpoint({ ...endpoint, ...base.node, store, endpointSources, answerRequest })
    : (key, request, inside) => answerRequest(key, request, endpoint, inside);
  const ownEndpoints = createOwnEndpoints({
    publicUrl,
    maxHops: limits.deliveryHops,
    decode: (body, coding) => decodeBody(body, readCodings(coding), { limit: limits.httpBodyBytes }),
    answer,
  });
  const timers = createTimers({
    store,
    clock,
    logger,
    observer: base.observer,
    sourceCache,
    dispatcher,
    inbox,
    backlog,
    holding,
    isUnregistered,
  });
  return { invokeParts, lanes, sourceCache, externalDb, triggerEvents, endpointSources, inbox, timers, answer };
}
