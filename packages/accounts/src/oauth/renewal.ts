import type { Account, AccountOAuth } from "@x/model";
import { isAmbiguous, isFinal } from "./failure.ts";
import type { Tokens } from "./token-answer.ts";

/** As long as a run may take by default: a token that a run begins with outlives it. */
const maxMarginMs = 5 * 60_000;
/** Of a token's lifetime. */
const marginShare = 0.1;

/** `due`: still valid, but not for long. */
export type TokenState = "fresh" | "due" | "expired";

/** The state of an access token. */
export function tokenState({ obtainedAt, expiresAt }: AccountOAuth, now: number): TokenState {
  if (expiresAt === null) return "fresh";
  if (now >= expiresAt) return "expired";
  const margin = Math.min(maxMarginMs, (expiresAt - obtainedAt) * marginShare);
  return now >= expiresAt - margin ? "due" : "fresh";
}

/** The field of `$auth` with this name, when it is a text. */
function authText({ auth }: Account, field: string): string | undefined {
  const value = auth[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The access token of an account. */
export const accessToken = (account: Account): string | undefined => authText(account, "oauth_access_token");

/** The refresh token of an account. */
export const refreshToken = (account: Account): string | undefined => authText(account, "oauth_refresh_token");

/** True when another access token can be had without its user. */
export const isRenewable = (account: Account): boolean =>
  account.oauth !== undefined &&
  account.oauth.failure?.final !== true &&
  (account.oauth.grant === "client_credentials" || refreshToken(account) !== undefined);

const minRejectedAgeMs = 60_000;

/**
 * True when a 401 may mean that the token is no longer valid. One that was just obtained, compared with how long it lives,
 * is valid: what it is refused for is forbidden to it, and another token would be refused, too.
 */
export function mayBeRejected({ obtainedAt, expiresAt }: AccountOAuth, now: number): boolean {
  const half = expiresAt === null ? minRejectedAgeMs : (expiresAt - obtainedAt) / 2;
  return now - obtainedAt >= Math.min(minRejectedAgeMs, half) || now < obtainedAt;
}

const firstRetryMs = 5_000;
const lastRetryMs = 5 * 60_000;

/** How long no further attempt is made after so many failures in turn. */
export const retryDelayMs = (failures: number): number =>
  Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(20, Math.max(0, failures - 1)));

/** The account with new tokens. A refresh token that the answer does not replace stays. */
export function withTokens(account: Account, tokens: Tokens, grant: AccountOAuth["grant"], now: number): Account {
  const { scopes = account.oauth?.scopes ?? [], expiresInSeconds } = tokens;
  const refresh = tokens.refreshToken ?? refreshToken(account);
  return {
    ...account,
    auth: {
      ...account.auth,
      ...tokens.more,
      oauth_access_token: tokens.accessToken,
      ...(refresh !== undefined && { oauth_refresh_token: refresh }),
    },
    oauth: {
      grant,
      scopes,
      obtainedAt: now,
      expiresAt: expiresInSeconds === undefined ? null : now + expiresInSeconds * 1_000,
    },
    updatedAt: now,
  };
}

/** The account before its refresh token is sent: an attempt before, whose outcome is not known, stays. */
export const withAttempt = (account: Account, now: number): Account =>
  account.oauth ? { ...account, oauth: { attemptedAt: now, ...account.oauth } } : account;

/** The message for a refresh token that was refused, when an earlier attempt may be why. */
export function refusalAfter(attemptedAt: number | undefined, message: string): string {
  if (attemptedAt === undefined) return message;
  const since = new Date(attemptedAt).toISOString();
  return `${message}; the answer to an attempt at ${since} was lost, with which the server may have replaced the refresh token`;
}

/** What a failed renewal does to an account. `rejected`: its token was refused by the service, too. */
export function withFailure(
  account: Account,
  failure: { readonly code: string; readonly message: string },
  { rejected, now }: { readonly rejected: boolean; readonly now: number },
): Account {
  if (!account.oauth) return account;
  const { attemptedAt, ...oauth } = account.oauth;
  const final = isFinal(failure.code);
  return {
    ...account,
    oauth: {
      ...oauth,
      ...(attemptedAt !== undefined && isAmbiguous(failure.code) && { attemptedAt }),
      ...(final && rejected && { expiresAt: Math.min(now, oauth.expiresAt ?? now) }),
      failure: { at: now, code: failure.code, message: failure.message, final },
    },
  };
}
