import type { CallHost, GuestReply, GuestRequest } from "@x/sandbox";
import { accessToken } from "./oauth/renewal.ts";
import type { Account } from "@x/model";
import type { Renewals } from "./renewals.ts";
import { bodyCandidates, withTokenInBody } from "./token-in-body.ts";

type Fetch = CallHost["fetch"];

/** Receives each `$auth` that replaced one during a run: it is as secret as the one before. */
export type Renewed = (auth: Account["auth"]) => void;

/** The first text that is wanted; those after it are not looked for. */
function find(texts: Iterable<string>, isWanted: (text: string) => boolean): string | undefined {
  for (const text of texts) if (isWanted(text)) return text;
  return undefined;
}

const bareValue = (value: string): string => value.replace(/^[A-Za-z][\w-]*\s+/, "").trim();

/** The query of a longer URL is not looked at: reading parameters takes longer than their number grows. */
const longestUrl = 64 * 1024;

const mayHaveToken = (url: string): boolean => url.length <= longestUrl && url.includes("?") && URL.canParse(url);

/** The texts of a request that may be access tokens: values of headers, without their scheme, of the query and of the body. */
function* candidatesIn(request: GuestRequest): Generator<string> {
  const { headers, url } = request;
  for (const [, value] of headers) yield bareValue(value);
  if (mayHaveToken(url)) yield* new URL(url).searchParams.values();
  yield* bodyCandidates(request);
}

/** The request with another token in its headers, query and body. */
function withToken(given: GuestRequest, old: string, token: string): GuestRequest {
  const request = withTokenInBody(given, old, token);
  const headers = request.headers.map(([name, value]): readonly [string, string] => [
    name,
    bareValue(value) === old ? value.slice(0, value.lastIndexOf(old)) + token : value,
  ]);
  if (!mayHaveToken(request.url)) return { ...request, headers };
  const url = new URL(request.url);
  const values = [...url.searchParams];
  if (!values.some(([, value]) => value === old)) return { ...request, headers };
  url.search = new URLSearchParams(
    values.map(([name, value]): [string, string] => [name, value === old ? token : value]),
  ).toString();
  return { ...request, headers, url: url.href };
}

/** True when the server that answered got the token: a redirect to another origin leaves it out. */
const wasSent = ({ url }: GuestRequest, reply: GuestReply): boolean =>
  !reply.redirected || new URL(url).origin === new URL(reply.url).origin;

/**
 * The requests of one run. A request that is answered with 401 to the access token of an account is sent once more with a
 * renewed one, and the ones after it are sent with that. The component keeps the `$auth` that it began with.
 */
export function renewingFetch(
  fetch: Fetch,
  renewals: Pick<Renewals, "knows" | "rejected">,
  { userId, renewed }: { readonly userId: string; readonly renewed: Renewed },
): Fetch {
  /** Later tokens by the ones that the run has. */
  const later = new Map<string, string>();
  return async (request, signal, hold) => {
    const token = find(candidatesIn(request), (text) => renewals.knows(text, userId));
    if (token === undefined) return fetch(request, signal, hold);
    const current = later.get(token) ?? token;
    const sent = current === token ? request : withToken(request, token, current);
    const reply = await fetch(sent, signal, hold);
    if (reply.status !== 401 || !wasSent(sent, reply)) return reply;
    const auth = await renewals.rejected(current, userId).catch(() => undefined);
    const next = auth && accessToken({ auth } as Account);
    if (auth === undefined || next === undefined || next === current || signal.aborted) return reply;
    later.set(token, next);
    renewed(auth);
    return fetch(withToken(request, token, next), signal, hold);
  };
}
