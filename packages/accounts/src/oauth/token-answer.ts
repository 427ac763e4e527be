import type { Json } from "@x/model";

/** The tokens that an authorization server gave. */
export interface Tokens {
  readonly accessToken: string;
  /** Absent: the one before stays valid, or there is none. */
  readonly refreshToken?: string;
  /** Absent: the access token does not expire, as far as is known. */
  readonly expiresInSeconds?: number;
  /** Absent: those that were asked for. */
  readonly scopes?: readonly string[];
  /** Further fields of `$auth` in the answer, such as `oauth_uid`. */
  readonly more: { readonly [field: string]: Json };
}

type Members = Readonly<Record<string, Json>>;

const isMembers = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The member at a path such as `authed_user.access_token`. */
function memberAt(value: Json | undefined, path: string): Json | undefined {
  let found = value;
  for (const name of path.split(".")) {
    if (!isMembers(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

/** A longer form is none: reading parameters takes longer than their number grows. */
const longestForm = 64 * 1024;

/** The body of an answer of a token endpoint: JSON, or a form, which some services send. */
export function parseBody(text: string, mediaType: string): Json | undefined {
  if (/^application\/x-www-form-urlencoded/i.test(mediaType) || /^\w+=/.test(text))
    return text.length > longestForm ? undefined : Object.fromEntries(new URLSearchParams(text));
  try {
    // RFC 8259, 8.1: a parser may ignore a byte order mark, which some services send.
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch {
    return undefined;
  }
}

/** How an answer of a service differs from RFC 6749. */
export interface AnswerQuirks {
  /** Where the tokens are when none is at the top. */
  readonly tokensAt?: string;
  /** Removes ID tokens, which cannot be checked without the name of their issuer. */
  readonly dropIdToken: boolean;
}

/** An answer as RFC 6749 has it. */
export interface NormalAnswer {
  readonly status: number;
  readonly body: Json;
}

const isAbsent = (value: Json | undefined): boolean => value === undefined || value === null || value === "";

function withoutNulls(body: Members): Record<string, Json> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isAbsent(value)));
}

/** The name of the error in an answer that reports one, whatever its status. */
function errorOf(body: Members): string | undefined {
  const { error, error_code: code, errorCode } = body;
  const named = [error, isMembers(error) ? (error["code"] ?? error["type"]) : undefined, code, errorCode];
  return named.find((value): value is string => typeof value === "string" && value !== "");
}

/** A token as RFC 6749 has it: absent instead of null, numbers as numbers, scopes as one text. */
function normalTokens(body: Members, { tokensAt, dropIdToken }: AnswerQuirks): Record<string, Json> {
  const isInside = tokensAt !== undefined && isAbsent(body["access_token"]);
  const inner = isInside ? memberAt(body, tokensAt) : undefined;
  const tokens = withoutNulls(isMembers(inner) ? { ...body, ...inner } : body);
  const { scope, expires_in: expires, token_type: type } = tokens;
  if (Array.isArray(scope)) tokens["scope"] = scope.filter((each) => typeof each === "string").join(" ");
  else if (typeof scope !== "string") delete tokens["scope"];
  // Lifetimes of 0 mean "does not expire" where they occur.
  if (expires !== undefined && !(Number(expires) > 0)) delete tokens["expires_in"];
  // Services name kinds of users and of tokens here, or nothing; all are used as bearer tokens.
  if (typeof type !== "string" || type.toLowerCase() !== "dpop") tokens["token_type"] = "bearer";
  if (dropIdToken) delete tokens["id_token"];
  return tokens;
}

/** The answer of a token endpoint in the form of RFC 6749; undefined when it is no JSON object. */
export function normalAnswer(status: number, body: Json | undefined, quirks: AnswerQuirks): NormalAnswer | undefined {
  if (!isMembers(body)) return undefined;
  const tokens = normalTokens(body, quirks);
  if (status === 201 && typeof tokens["access_token"] === "string") return { status: 200, body: tokens };
  if (status === 200 && typeof tokens["access_token"] === "string") return { status, body: tokens };
  const error = errorOf(body);
  if (error === undefined) return { status, body };
  const description = body["error_description"] ?? body["message"] ?? body["error_message"];
  // Some services report errors with status 200 or 401; RFC 6749 has 400.
  return {
    status: status >= 500 || status === 429 ? status : 400,
    body: { error, ...(typeof description === "string" && { error_description: description }) },
  };
}

/** Where the id of the user usually is. */
const usualIds = ["user_id", "uid", "open_id", "account_id", "sub"];

const idText = (value: Json | undefined): string | undefined =>
  typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;

/** Further fields of `$auth`: those of the service by their paths in the answer, and the id of the user. */
export function moreFields(
  body: Json,
  paths: { readonly [field: string]: string },
  subject: string | undefined,
): { readonly [field: string]: Json } {
  const found = Object.entries(paths).flatMap(([field, path]): [string, Json][] => {
    const value = memberAt(body, path);
    return value === undefined || value === null
      ? []
      : [[field, field === "oauth_uid" ? (idText(value) ?? "") : value]];
  });
  const fields: Record<string, Json> = Object.fromEntries(found);
  const uid = subject ?? usualIds.map((name) => idText(memberAt(body, name))).find((id) => id !== undefined);
  if (fields["oauth_uid"] === undefined && uid !== undefined) fields["oauth_uid"] = uid;
  return fields;
}
