import { LRUCache } from "lru-cache";

import type { AccountRecords } from "./account-records.ts";
import { XError, type Account, type Clock, type Logger } from "@x/model";
import { isFinal, OAuthFailure } from "./oauth/failure.ts";
import type { OAuthProtocol } from "./oauth/protocol.ts";
import {
  accessToken,
  isRenewable,
  mayBeRejected,
  refreshToken,
  refusalAfter,
  retryDelayMs,
  tokenState,
  withAttempt,
  withFailure,
  withTokens,
} from "./oauth/renewal.ts";
import type { ServerClient } from "./oauth/server.ts";

/** Keeps the tokens of accounts valid: one renewal of an account at a time, for all that wait for it. */
export interface Renewals {
  /**
   * The `$auth` of an account, with a token that is valid for some time. Rejects with `account_disconnected` when the account
   * has to be connected again, and with `account_failed` when its token has expired and cannot be renewed now.
   */
  current(account: Account): Promise<Account["auth"]>;
  /** True for a token that `current` gave to this user. */
  knows(token: string, userId: string): boolean;
  /** After a 401 to a request with this token: the `$auth` with another token; undefined when there is none. */
  rejected(token: string, userId: string): Promise<Account["auth"] | undefined>;
  /** Attempts again what a former process began, and of which it did not learn the outcome. Does not reject. */
  resume(account: Account): Promise<void>;
  /** Resolves when no renewal is under way: what a server has sent is stored. */
  idle(): Promise<void>;
}

/** Renews a token unless it is another one by now; resolves with the account, undefined when it was deleted. */
export type Renew = (id: string, token: string | undefined, isRejected: boolean) => Promise<Account | undefined>;

export interface RenewalsParts {
  readonly records: AccountRecords;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly protocol: OAuthProtocol;
  /** The authorization server of an account; undefined when its app was removed. */
  serverOf(account: Account): Promise<ServerClient | undefined>;
  /** Wraps each renewal. */
  readonly wrap?: ((own: Renew) => Renew) | undefined;
}

interface Holder {
  readonly accountId: string;
  readonly userId: string;
}

/** Failed attempts in turn that may succeed later. */
interface Waiting {
  readonly failures: number;
  readonly until: number;
}

interface Tried {
  /** The token was refused by the service, too. */
  readonly isRejected: boolean;
  /** When an earlier attempt was made whose outcome is not known. */
  readonly before: number | undefined;
}

const maxTokenBytes = 8 * 1024 * 1024;

/** How an account is connected again. */
const repair = ({ id, app }: Account): string => `x accounts connect ${app} --account ${id}`;

const disconnected = (account: Account, problem: string): XError =>
  new XError("account_disconnected", [account.id, account.app, problem, repair(account)]);

/**
 * Asks the server for new tokens. Rejects with `OAuthFailure`. `announce` is called before the refresh token is sent, which
 * many servers replace at once.
 */
async function requestTokens(
  account: Account,
  { protocol, serverOf, clock }: RenewalsParts,
  announce: () => Promise<void>,
): Promise<Account> {
  const server = await serverOf(account);
  if (!server)
    throw new OAuthFailure("app_missing", `the app "${account.app}" has no client: x apps add ${account.app} --oauth`);
  const refresh = refreshToken(account);
  const grant = account.oauth?.grant ?? "authorization_code";
  if (grant === "client_credentials" || refresh === undefined)
    return withTokens(account, await protocol.clientCredentials(server), grant, clock.now());
  await announce();
  return withTokens(account, await protocol.refresh(server, refresh), grant, clock.now());
}

/** Passes the failures of servers on as values. */
function failureOnly(error: unknown): OAuthFailure {
  if (error instanceof OAuthFailure) return error;
  throw error;
}

/** Throws for an account whose token has expired. */
function checkValid(account: Account, now: number): void {
  const { id, app, oauth } = account;
  if (!oauth || tokenState(oauth, now) !== "expired") return;
  const problem = oauth.failure?.message ?? "its token has expired, and there is no refresh token";
  if (!isRenewable(account)) throw disconnected(account, problem);
  throw new XError("account_failed", [id, app, `its token has expired and could not be renewed: ${problem}`]);
}

/** True when the record says the same: an attempt every few seconds is no reason to write. */
const isNoted = ({ oauth: before }: Account, { oauth: after }: Account): boolean =>
  before?.failure?.code === after?.failure?.code && before?.attemptedAt === after?.attemptedAt;

export function createRenewals(parts: RenewalsParts): Renewals {
  const { records, clock, logger } = parts;
  const flights = new Map<string, Promise<Account | undefined>>();
  const waits = new Map<string, Waiting>();
  /** New tokens that the store did not take: the old ones may be void. */
  const unsaved = new Map<string, { readonly account: Account; readonly replaces: string | undefined }>();
  const holders = new LRUCache<string, Holder>({
    maxSize: maxTokenBytes,
    sizeCalculation: (_, token) => 2 * token.length + 256,
  });

  const isWaiting = (id: string): boolean => clock.now() < (waits.get(id)?.until ?? 0);

  /** Stores new tokens before anyone gets them. */
  async function save(account: Account, replaces: string | undefined): Promise<Account> {
    unsaved.set(account.id, { account, replaces });
    await records.put(account);
    unsaved.delete(account.id);
    waits.delete(account.id);
    return account;
  }

  async function markFailed(account: Account, failure: OAuthFailure, { isRejected, before }: Tried): Promise<Account> {
    const failures = (waits.get(account.id)?.failures ?? 0) + 1;
    const delay = Math.max(retryDelayMs(failures), (failure.retryAfter ?? 0) * 1_000);
    waits.set(account.id, { failures, until: clock.now() + delay });
    const { code } = failure;
    logger.warn("the token of an account could not be renewed", { account: account.id, app: account.app, error: code });
    const message = isFinal(code) ? refusalAfter(before, failure.message) : failure.message;
    const marked = withFailure(account, { code, message }, { rejected: isRejected, now: clock.now() });
    if (isNoted(account, marked)) return account;
    await records.put(marked);
    return marked;
  }

  async function renewInLane(id: string, token: string | undefined, isRejected: boolean): Promise<Account | undefined> {
    const account = await records.stored(id);
    const left = unsaved.get(id);
    if (left && account && accessToken(account) === left.replaces) return save(left.account, left.replaces);
    unsaved.delete(id);
    // Renewed, connected again or deleted meanwhile; and the caller may not know of the last failure.
    if (!account?.oauth || accessToken(account) !== token || !isRenewable(account) || isWaiting(id)) return account;
    const before = account.oauth.attemptedAt;
    let begun = account;
    const announce = async (): Promise<void> => {
      begun = withAttempt(account, clock.now());
      if (before === undefined) await records.put(begun);
    };
    const renewed = await requestTokens(account, parts, announce).catch(failureOnly);
    return renewed instanceof OAuthFailure ? markFailed(begun, renewed, { isRejected, before }) : save(renewed, token);
  }

  /** Renews the token unless it is another one by now. All that ask while it is under way get its result. */
  const renewOwn: Renew = (id, token, isRejected) => {
    const known = flights.get(id);
    if (known) return known;
    const flight = records.inLane(id, () => renewInLane(id, token, isRejected)).finally(() => flights.delete(id));
    flights.set(id, flight);
    return flight;
  };
  const renew = parts.wrap?.(renewOwn) ?? renewOwn;

  function given(account: Account): Account["auth"] {
    const token = accessToken(account);
    if (token !== undefined) holders.set(token, { accountId: account.id, userId: account.userId });
    return account.auth;
  }

  /** Refuses a token that is no longer valid. */
  function checked(account: Account): Account["auth"] {
    checkValid(account, clock.now());
    return given(account);
  }

  return {
    async current(account) {
      const { id, oauth } = account;
      if (!oauth) return account.auth;
      const isDue = unsaved.has(id) || tokenState(oauth, clock.now()) !== "fresh";
      if (!isDue || !isRenewable(account) || (isWaiting(id) && !unsaved.has(id))) return checked(account);
      const renewed = await renew(id, accessToken(account), false);
      if (!renewed) throw new XError("account_failed", [id, account.app, "it was deleted"]);
      // A new token may live shorter than it takes to store it.
      return accessToken(renewed) === accessToken(account) ? checked(renewed) : given(renewed);
    },
    knows: (token, userId) => holders.get(token)?.userId === userId,
    async rejected(token, userId) {
      const holder = holders.get(token);
      if (holder?.userId !== userId) return undefined;
      const account = await records.read(holder.accountId);
      if (!account?.oauth) return undefined;
      if (accessToken(account) !== token) return checked(account);
      const isTried = isWaiting(account.id) || !mayBeRejected(account.oauth, clock.now());
      if (isTried || !isRenewable(account)) return undefined;
      const renewed = await renew(account.id, token, true);
      return renewed?.oauth && accessToken(renewed) !== token ? given(renewed) : undefined;
    },
    async resume(account) {
      if (account.oauth?.attemptedAt === undefined || !isRenewable(account)) return;
      await renew(account.id, accessToken(account), false).catch(() => undefined);
    },
    idle: async () => void (await Promise.allSettled(flights.values())),
  };
}
