/** Why an authorization server gave no tokens. The message has no secret. */
export class OAuthFailure extends Error {
  /** The error of the server, such as `invalid_grant`; else `network_failed`, `invalid_response` or `address_forbidden`. */
  readonly code: string;
  /** Seconds that the server asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(code: string, message: string, options: { cause?: unknown; retryAfter?: number | undefined } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "OAuthFailure";
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

/** The grant is gone: no later attempt with the same refresh token can succeed. Some services have names of their own. */
const finalCodes: ReadonlySet<string> = new Set([
  "access_denied",
  "bad_refresh_token",
  "consent_required",
  "interaction_required",
  "invalid_grant",
  "invalid_refresh_token",
  "login_required",
  "token_revoked",
]);

/** True when the server may have done what it was asked, though its answer did not come. */
export const isAmbiguous = (code: string): boolean => code === "network_failed" || code === "invalid_response";

/** True when the account has to be connected again. */
export const isFinal = (code: string): boolean => finalCodes.has(code);

const longestText = 300;

/** A text of a server as one line of bounded length, without the secrets that were sent to it. */
export function serverText(text: unknown, secrets: readonly string[]): string {
  if (typeof text !== "string") return "";
  const hidden = secrets
    .filter((secret) => secret.length > 0)
    .reduce((left, secret) => left.replaceAll(secret, "***"), text);
  return hidden
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, longestText);
}
