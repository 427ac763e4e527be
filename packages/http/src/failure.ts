import { type ErrorCode, errorCatalogue, errorText, XError } from "@x/runtime";

import { type Answer, jsonAnswer } from "./answer.ts";

/** Problems that an answer lists. */
export const maxProblems = 100;
const longestMessage = 2_000;
const longestDetail = 16_000;

/** Text of at most `longest` characters; never cuts a surrogate pair. */
export function excerpt(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}

function presentable(details: object): object {
  try {
    const text = JSON.stringify(details, (_name, value: unknown) => {
      if (typeof value === "string") return excerpt(value, longestDetail);
      return Array.isArray(value) && value.length > maxProblems ? value.slice(0, maxProblems) : value;
    });
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

/** The body of every answer other than 2xx. */
function errorBody(code: ErrorCode, message: string, details: object): object {
  return { error: excerpt(message, longestMessage), code, details: presentable(details) };
}

/** An error answer without an exception. */
export function refusal(status: number, code: ErrorCode, message: string): Answer {
  return jsonAnswer(status, errorBody(code, message, status === 400 ? { errors: [{ path: "", message }] } : {}));
}

/** Throws `method_not_allowed`. */
export function refuseMethod(method: string, allowed: readonly string[]): never {
  const allow = allowed.join(", ");
  throw new XError("method_not_allowed", [method.slice(0, 30), allow], { details: { allow } });
}

function extraHeaders(error: XError): (readonly [string, string])[] {
  const { allow, retryAfterSeconds } = error.details;
  if (error.code === "unauthorized") return [["www-authenticate", "Bearer"]];
  if (error.code === "method_not_allowed") return [["allow", String(allow)]];
  // The rest of an unread body would be parsed as the next request.
  if (error.code === "payload_too_large") return [["connection", "close"]];
  if ([429, 503].includes(errorCatalogue[error.code].status))
    return [["retry-after", typeof retryAfterSeconds === "number" ? String(retryAfterSeconds) : "1"]];
  return [];
}

const public5xx: ReadonlySet<ErrorCode> = new Set([
  "body_already_read",
  "bundler_unavailable",
  "closed",
  "no_response",
  "overloaded",
  "store_unavailable",
]);

/** True for failures of the service, not of the request: callers get no details. */
const isPrivate = (code: ErrorCode): boolean => (errorCatalogue[code]?.status ?? 500) >= 500 && !public5xx.has(code);

/** The answer for any thrown value; `report` gets failures that callers must not see. */
export function failureAnswer(error: unknown, report: (error: unknown) => void): Answer {
  if (!XError.is(error) || isPrivate(error.code)) {
    report(error);
    return jsonAnswer(500, errorBody("internal", errorText("internal"), {}));
  }
  const { code, message, details } = error;
  return jsonAnswer(errorCatalogue[code].status, errorBody(code, message, details), extraHeaders(error));
}
