import { expect, test } from "vitest";

import type { Account } from "../../../model/src/model.ts";
import { exampleAccount } from "../../../store/src/conformance/examples.cases.ts";
import { isFinal, serverText } from "./failure.ts";
import {
  isRenewable,
  mayBeRejected,
  refusalAfter,
  retryDelayMs,
  tokenState,
  withAttempt,
  withFailure,
  withTokens,
} from "./renewal.ts";

const minute = 60_000;
const oauth = { grant: "authorization_code", scopes: ["a"], obtainedAt: 0, expiresAt: 60 * minute } as const;
const account: Account = exampleAccount("apn_1", {
  auth: { oauth_access_token: "old", oauth_refresh_token: "refresh", oauth_uid: "u" },
  oauth,
});

test("a token is due five minutes before its end, or in the last tenth of a shorter life", () => {
  expect([54, 55, 59, 60].map((at) => tokenState(oauth, at * minute))).toEqual(["fresh", "due", "due", "expired"]);
  const short = { ...oauth, expiresAt: 10_000 };
  expect([8_999, 9_000, 10_000].map((at) => tokenState(short, at))).toEqual(["fresh", "due", "expired"]);
  expect(tokenState({ ...oauth, expiresAt: null }, Number.MAX_SAFE_INTEGER)).toBe("fresh");
});

test("a token can be renewed with a refresh token or a client of its own, until a failure is final", () => {
  const { oauth_refresh_token: _refresh, ...auth } = account.auth;
  expect(isRenewable(account)).toBe(true);
  expect(isRenewable({ ...account, auth })).toBe(false);
  expect(isRenewable({ ...account, auth, oauth: { ...oauth, grant: "client_credentials" } })).toBe(true);
  const failure = { code: "invalid_grant", message: "gone" };
  expect(isRenewable(withFailure(account, failure, { rejected: false, now: 1 }))).toBe(false);
  const later = withFailure(account, { code: "network_failed", message: "down" }, { rejected: true, now: 1 });
  expect([isRenewable(later), later.oauth?.expiresAt]).toEqual([true, 60 * minute]);
});

test("a final failure after a 401 ends the token at once, before that at its own end", () => {
  const failure = { code: "invalid_grant", message: "gone" };
  expect(withFailure(account, failure, { rejected: true, now: 5 }).oauth?.expiresAt).toBe(5);
  expect(withFailure(account, failure, { rejected: false, now: 5 }).oauth?.expiresAt).toBe(60 * minute);
  expect(isFinal("invalid_client")).toBe(false);
});

test("a refresh token that an answer does not replace stays, and a failure is forgotten", () => {
  const failed = withFailure(account, { code: "network_failed", message: "down" }, { rejected: false, now: 1 });
  const renewed = withTokens(failed, { accessToken: "new", expiresInSeconds: 60, more: {} }, "authorization_code", 7);
  expect(renewed.auth).toEqual({ oauth_access_token: "new", oauth_refresh_token: "refresh", oauth_uid: "u" });
  expect(renewed.oauth).toEqual({ ...oauth, obtainedAt: 7, expiresAt: 60_007 });
  const rotated = withTokens(account, { accessToken: "n", refreshToken: "r2", scopes: [], more: {} }, oauth.grant, 7);
  expect([rotated.auth["oauth_refresh_token"], rotated.oauth?.expiresAt, rotated.oauth?.scopes]).toEqual([
    "r2",
    null,
    [],
  ]);
});

test("a 401 counts against a token that is a minute old, and against one from the future", () => {
  for (const expiresAt of [null, 100_000 + 60 * minute]) {
    const at = { ...oauth, obtainedAt: 100_000, expiresAt };
    expect([100_000, 159_999, 160_000, 99_999].map((now) => mayBeRejected(at, now))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  }
});

test("a 401 counts against a token that lives for seconds, from half of its life on", () => {
  const at = { ...oauth, obtainedAt: 100_000, expiresAt: 110_000 };
  expect([100_000, 104_999, 105_000, 110_000].map((now) => mayBeRejected(at, now))).toEqual([false, false, true, true]);
});

test("an attempt is remembered until tokens come or the server answers for sure", () => {
  const begun = withAttempt(withAttempt(account, 3), 4);
  expect(begun.oauth?.attemptedAt).toBe(3);
  const after = (code: string): number | undefined =>
    withFailure(begun, { code, message: "" }, { rejected: false, now: 5 }).oauth?.attemptedAt;
  expect(["network_failed", "invalid_response", "invalid_client", "invalid_grant"].map(after)).toEqual([
    3,
    3,
    undefined,
    undefined,
  ]);
  const tokens = { accessToken: "new", expiresInSeconds: 60, more: {} };
  expect(withTokens(begun, tokens, "authorization_code", 7).oauth).not.toHaveProperty("attemptedAt");
  expect([refusalAfter(undefined, "refused"), refusalAfter(0, "refused")]).toEqual([
    "refused",
    "refused; the answer to an attempt at 1970-01-01T00:00:00.000Z was lost, with which the server may have replaced the refresh token",
  ]);
});

test("attempts are made after 5 seconds, doubling to 5 minutes", () => {
  expect([1, 2, 3, 7, 100].map(retryDelayMs)).toEqual([5_000, 10_000, 20_000, 5 * minute, 5 * minute]);
});

test("texts of servers are one line, short, and without what was sent to them", () => {
  expect(serverText("bad\n\u0000 token\u202e  s3cret", ["s3cret", ""])).toBe("bad token ***");
  expect(serverText("x".repeat(1_000), []).length).toBe(300);
  expect(serverText({ a: 1 }, [])).toBe("");
});
