import { XError, closedReason, deadlineAfter, hasLongHost, type Limits } from "@x/model";
import type { NetworkOptions, PlainReply, PlainRequest } from "../api/options.ts";
import type { GuestReply, GuestRequest, HoldBytes } from "@x/sandbox";
import { createConnections, createPinnedLookup } from "./connection.ts";
import type { Lookup } from "./lookup.ts";
import { findCodings } from "./decode.ts";
import { describeFailure, findOwnError, networkFailed, showUrl } from "./failure.ts";
import { firstHop, isRedirect, nextHop } from "./hop.ts";
import type { Hop } from "./hop.ts";
import { parsePolicy } from "./policy.ts";
import { readBody } from "./read-body.ts";
import { createShares, type Sender } from "./shares.ts";
import { CutOff, sendOver, sendByExchange, sendByFetch, sendInside, type Sent } from "./sent.ts";

/** Finds the handler of a URL that this process answers itself, whatever the policy; undefined for other URLs. */
export type AnswerInside = (url: URL) => ((request: PlainRequest) => Promise<PlainReply>) | undefined;

/** The context of a request. */
export interface FetchContext {
  /** Absent for requests of the runtime itself. */
  readonly sender?: Sender | undefined;
  readonly inside?: AnswerInside | undefined;
  readonly hold?: HoldBytes | undefined;
}

/** Sends all requests of components and of the runtime. */
export interface Egress {
  /**
   * Sends a request and follows its redirects, each with its own check. Rejects with `address_forbidden` or
   * `network_failed`. Decodes the body, and then removes `content-encoding` and `content-length`, unless the request is
   * verbatim. A hop that `inside` answers is not sent.
   */
  fetch(request: GuestRequest, signal: AbortSignal, context?: FetchContext): Promise<GuestReply>;
  /** The rule that forbids this URL, without a lookup of its host. Throws `TypeError` for an invalid URL. */
  forbidden(url: string): string | undefined;
  /** Ends every exchange and connection. */
  close(): Promise<void>;
}

export type EgressLimits = Pick<Limits, "fetchTimeoutMs" | "fetchBodyBytes" | "fetchRedirects">;

const originalUrlHeader = "x-original-url";
const bodiless = new Set([204, 205, 304]);

function parseUpstream(upstream: string | undefined): URL | undefined {
  if (upstream === undefined) return undefined;
  const url = URL.canParse(upstream) ? new URL(upstream) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new XError("invalid_options", ["network.upstream", "an http or https origin", JSON.stringify(upstream)]);
  return url;
}

/** Packages retry after this code. The message is empty, because the outer error has one. */
const gaveUp = (): Error => Object.assign(new Error(""), { code: "ETIMEDOUT" });

const findHeader = (headers: readonly (readonly [string, string])[], name: string): string | undefined => {
  const values = headers.filter(([given]) => given === name).map(([, value]) => value);
  return values.length > 0 ? values.join(", ") : undefined;
};

/** The URL of a reply: without credentials and fragment. */
const shownHref = ({ origin, pathname, search }: URL): string => `${origin}${pathname}${search}`;

/** The reply of a broken connection, with the part of the body that arrived. An encoded part cannot be decoded. */
function cutReply({ url }: Hop, { status, statusText, headers }: Sent, cut: CutOff, redirected: boolean): GuestReply {
  const body = findHeader(headers, "content-encoding") === undefined ? cut.body : new Uint8Array(0);
  return { url: shownHref(url), status, statusText, headers, body, redirected, cut };
}

interface Receiving {
  readonly redirected: boolean;
  readonly verbatim: boolean;
  readonly hold: HoldBytes;
  /** Most bytes of the decoded body. */
  readonly limit: number;
}

/** Reads the body of a response and decodes it. */
async function receive(
  hop: Hop,
  response: Sent,
  { redirected, verbatim, hold, limit }: Receiving,
  signal: AbortSignal,
): Promise<GuestReply> {
  const shown = showUrl(hop.url.href);
  const { headers } = response;
  const encoding = findHeader(headers, "content-encoding") ?? "";
  const codings = hop.method === "HEAD" || bodiless.has(response.status) ? [] : (findCodings(encoding) ?? []);
  const isKept = verbatim && response.encoded;
  const undone = response.encoded && !isKept ? codings : [];
  const body = await readBody(response.chunks(), { codings: undone, limit, hold, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    if (error instanceof CutOff) return error;
    throw networkFailed(shown, `the body is not valid ${encoding}: ${describeFailure(error)}`);
  });
  if (body instanceof CutOff) return cutReply(hop, response, body, redirected);
  if (!body) throw networkFailed(shown, `the body is larger than ${limit} bytes`);
  const stale = codings.length > 0 && !isKept ? ["content-encoding", "content-length"] : [];
  return {
    url: shownHref(hop.url),
    status: response.status,
    statusText: response.statusText,
    headers: headers.filter(([name]) => !stale.includes(name)),
    body,
    redirected,
  };
}

/** Signals that end a request, in the order in which they explain its failure. */
interface Endings {
  readonly caller: AbortSignal;
  readonly closing: AbortSignal;
  readonly deadline: AbortSignal;
}

/** The error for a request that failed or was ended. */
function failedRequest(url: string, error: unknown, { caller, closing, deadline }: Endings, timeoutMs: number): Error {
  const failed = (problem: string, cause = error): Error => networkFailed(showUrl(url), problem, cause);
  if (caller.aborted) return failed("it was cancelled");
  if (closing.aborted) return failed("the runtime is closing");
  return deadline.aborted
    ? failed(`no complete answer within ${timeoutMs} ms`, gaveUp())
    : failed(describeFailure(error));
}

/** The embedder's function that sends requests, if there is one. */
function senderOf({ exchange, fetch }: NetworkOptions): ((hop: Hop, signal: AbortSignal) => Promise<Sent>) | undefined {
  if (exchange) return (hop, signal) => sendByExchange(exchange, hop, signal);
  return fetch && ((hop, signal) => sendByFetch(fetch, hop, signal));
}

/** Creates the egress of a runtime. `seams.lookup` replaces the name server. */
export function createEgress(
  options: NetworkOptions,
  limits: EgressLimits,
  seams: { readonly lookup?: Lookup } = {},
): Egress {
  const policy = parsePolicy(options);
  const upstream = parseUpstream(options.upstream);
  // The operator chose the upstream, so its addresses are not checked.
  const lookup = upstream ? undefined : createPinnedLookup(policy, seams.lookup);
  const sendGiven = senderOf(options);
  const connections = createConnections(limits.fetchTimeoutMs, lookup);
  const shares = createShares();
  const closing = new AbortController();

  const forbidden = (url: URL): string | undefined =>
    url.origin === upstream?.origin ? undefined : policy.forbiddenUrl(url);

  const checkUrl = (url: URL): void => {
    const rule = forbidden(url);
    if (rule === undefined) return;
    const shown = url.hostname === "" ? showUrl(url.href) : url.hostname;
    throw new XError("address_forbidden", [shown, rule], { details: { host: url.hostname } });
  };

  const send = async (hop: Hop, signal: AbortSignal): Promise<Sent> => {
    const { url } = hop;
    const headers = hop.headers.filter(([name]) => !upstream || name.toLowerCase() !== originalUrlHeader);
    const original = new URL(url);
    original.hash = "";
    if (upstream) headers.push([originalUrlHeader, original.href]);
    if (sendGiven) {
      const target = upstream ? new URL(url.pathname + url.search, upstream.origin) : original;
      return sendGiven({ ...hop, url: target, headers }, signal);
    }
    return sendOver(connections, { ...hop, headers }, upstream ?? url, signal);
  };

  const exchange = async (
    request: GuestRequest,
    signal: AbortSignal,
    { inside, sender, hold = () => undefined }: FetchContext,
  ): Promise<GuestReply> => {
    let hop = firstHop(request);
    for (let redirects = 0; ; redirects++) {
      if ("problem" in hop) throw networkFailed(showUrl(request.url), hop.problem);
      const answer = inside?.(hop.url);
      if (!answer) checkUrl(hop.url);
      const leave = answer || !sender || sendGiven ? undefined : await shares.enter(sender, hop.url.origin, signal);
      try {
        const response = answer ? await sendInside(answer, hop, signal) : await send(hop, signal);
        const location = findHeader(response.headers, "location");
        const mustFollow = isRedirect(response.status) && location !== undefined && request.redirect !== "manual";
        const receiving = {
          redirected: redirects > 0,
          verbatim: request.verbatim === true,
          hold,
          limit: limits.fetchBodyBytes,
        };
        if (!mustFollow) return await receive(hop, response, receiving, signal);
        response.drop(signal);
        const shown = showUrl(request.url);
        if (request.redirect === "error") throw networkFailed(shown, "it answered with a redirect");
        if (redirects >= limits.fetchRedirects)
          throw networkFailed(shown, `more than ${limits.fetchRedirects} redirects`);
        hop = nextHop(hop, response.status, location);
      } finally {
        leave?.();
      }
    }
  };

  return {
    async fetch(request, signal, context = {}) {
      const deadline = deadlineAfter(limits.fetchTimeoutMs);
      try {
        return await exchange(request, AbortSignal.any([signal, deadline.signal, closing.signal]), context);
      } catch (error) {
        const own = findOwnError(error);
        if (own) throw own;
        const endings = { caller: signal, closing: closing.signal, deadline: deadline.signal };
        throw failedRequest(request.url, error, endings, limits.fetchTimeoutMs);
      } finally {
        deadline.letGo();
      }
    },
    forbidden(url) {
      if (hasLongHost(url)) throw new TypeError("Invalid URL");
      return forbidden(new URL(url));
    },
    async close() {
      closing.abort(closedReason);
      connections.destroy();
    },
  };
}
