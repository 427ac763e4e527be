import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import { XError, isStoreFailure, type AppEndpoint, type Clock, type Logger, type RequestEntry } from "@x/model";
import type { Store } from "@x/store";
import { finalResponse, statusAnswer } from "../http/answer.ts";
import { registeredUrl } from "../http/called-url.ts";
import { refuseLongBody, refuseLongHead } from "../http/refusals.ts";
import { httpEvent } from "../http/request-event.ts";
import { requestEntry, type RequestLog } from "../http/request-log.ts";
import { settleRequest, unreadableAnswer } from "../http/verified-request.ts";
import { proves } from "../signatures/described-scheme.ts";
import { type AppEvent, readEvents } from "./app-event.ts";
import type { AppEvents } from "./app-events.ts";
import type { ReaderAnswer, Readers } from "./reader.ts";
import { findAppService } from "./services/table.ts";

export interface AppAnswerParts {
  readonly store: Pick<Store, "appEndpointByKey">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bodyBytes: number;
  readonly appEvents: AppEvents;
  readonly readers: Readers;
  readonly log: RequestLog;
  endpointUrl(key: string): string;
  /** Resolves when this node takes part. */
  ready(): Promise<void>;
}

/** Answers a request to an app's endpoint; undefined when the key is of none. */
export type AnswerApp = (key: string, request: EndpointRequest) => Promise<EndpointResponse | undefined>;

const empty = (): EndpointResponse => ({ status: 200, headers: [], body: new Uint8Array(0) });

/** Who has stored the ids and requests of an endpoint. */
export const ownerOfEndpoint = ({ userId, slug }: Pick<AppEndpoint, "userId" | "slug">): string =>
  `app ${userId} ${slug}`;

/** What a request says, or the answer to one that is not read. */
type Read = { readonly events: readonly AppEvent[]; readonly respond?: ReaderAnswer["respond"] } | "unreadable";

async function readRequest(endpoint: AppEndpoint, request: EndpointRequest, readers: Readers): Promise<Read> {
  const { event } = httpEvent(request);
  if (endpoint.reader) return readers.receive(endpoint, event);
  const service = findAppService(endpoint.service ?? "");
  const events = service?.read({ request, event, allUsers: endpoint.allUsers });
  // What a service sends is bounded as what a reader of the user's returns.
  return events ? { events: readEvents(events) } : "unreadable";
}

/** What the answer of a custom reader to a request without effects is; an empty 200 otherwise. */
const answerOf = ({ method }: EndpointRequest, respond: ReaderAnswer["respond"]): EndpointResponse =>
  respond ? finalResponse(method, respond) : empty();

const isBusy = (error: unknown): boolean =>
  XError.is(error) && (error.code === "queue_full" || error.code === "closed" || isStoreFailure(error.code));

export function createAnswerApp(parts: AppAnswerParts): AnswerApp {
  const { clock, log, readers } = parts;

  async function deliver(
    endpoint: AppEndpoint,
    events: readonly AppEvent[],
    request: NonNullable<Parameters<AppEvents["deliver"]>[0]["request"]>,
  ): Promise<void> {
    const { userId, slug, allUsers, verification } = endpoint;
    await parts.appEvents.deliver({
      app: slug,
      owner: userId,
      userId: allUsers ? undefined : userId,
      events,
      verified: proves(verification),
      request,
    });
  }

  async function answer(endpoint: AppEndpoint, given: EndpointRequest): Promise<EndpointResponse> {
    const at = clock.now();
    const owner = ownerOfEndpoint(endpoint);
    const url = registeredUrl(parts.endpointUrl, given, endpoint.key);
    const request = { ...given, url };
    const entry = (outcome: RequestEntry["outcome"], reason?: string): RequestEntry =>
      requestEntry(outcome, at, clock.now(), reason);
    const settled = settleRequest(request, endpoint.verification, { url, now: at });
    if (settled) {
      const { outcome, reason } = settled;
      if (outcome === "challenge") log.add(owner, entry(outcome));
      else log.refused(owner, entry(outcome, reason));
      return settled.answer;
    }
    let read: Read;
    try {
      read = await readRequest(endpoint, request, readers);
    } catch (error) {
      const reason = XError.is(error) ? error.message : "the reader failed";
      parts.logger.warn("a request with app events could not be read", { app: endpoint.slug, error: String(error) });
      log.refused(owner, entry("failed", reason.slice(0, 500)));
      return statusAnswer(500);
    }
    if (read === "unreadable") {
      log.refused(owner, entry("unreadable"));
      return unreadableAnswer();
    }
    const { events, respond } = read;
    if (respond?.status === 401 && events.length === 0) log.refused(owner, entry("rejected", "reader"));
    else await deliver(endpoint, events, { owner, at });
    return answerOf(given, respond);
  }

  return async (key, request) => {
    const endpoint = await parts.store.appEndpointByKey(key);
    if (!endpoint) return undefined;
    const refused = refuseLongHead(request) ?? refuseLongBody(request, parts.bodyBytes);
    if (refused) return refused;
    try {
      await parts.ready();
      return await answer(endpoint, request);
    } catch (error) {
      if (!isBusy(error)) throw error;
      parts.logger.warn("a request with app events was not stored", { app: endpoint.slug, error: String(error) });
      return statusAnswer(503, { retryAfterSeconds: 1 });
    }
  };
}
