import { expect, test } from "vitest";

import { moreFields, normalAnswer, parseBody } from "./token-answer.ts";

const quirks = { dropIdToken: true };
const tokens = (body: object, more: object = {}): object | undefined =>
  normalAnswer(200, JSON.parse(JSON.stringify(body)), { ...quirks, ...more });

test("tokens get the form of RFC 6749: no nulls, one text of scopes, bearer tokens, no ID token of an unknown issuer", () => {
  const given = {
    access_token: "a",
    refresh_token: null,
    scope: ["chat:read", "chat:edit"],
    expires_in: 0,
    token_type: "user",
    id_token: "x.y.z",
  };
  expect(tokens(given)).toEqual({
    status: 200,
    body: { access_token: "a", scope: "chat:read chat:edit", token_type: "bearer" },
  });
  expect(tokens(given, { dropIdToken: false })).toMatchObject({ body: { id_token: "x.y.z" } });
  expect(tokens({ access_token: "a", token_type: "DPoP", expires_in: "60", scope: {} })).toEqual({
    status: 200,
    body: { access_token: "a", token_type: "DPoP", expires_in: "60" },
  });
  expect(normalAnswer(201, { access_token: "a" }, quirks)?.status).toBe(200);
});

test("tokens that lie deeper are found, unless there are some at the top", () => {
  const inner = { id: "U1", access_token: "user", refresh_token: "r", token_type: "user" };
  expect(tokens({ ok: true, access_token: "", authed_user: inner }, { tokensAt: "authed_user" })).toMatchObject({
    body: { access_token: "user", refresh_token: "r" },
  });
  expect(tokens({ access_token: "bot", authed_user: inner }, { tokensAt: "authed_user" })).toMatchObject({
    body: { access_token: "bot" },
  });
});

test("errors are found in any answer, and get the status of RFC 6749", () => {
  expect(tokens({ ok: false, error: "invalid_refresh_token" })).toEqual({
    status: 400,
    body: { error: "invalid_refresh_token" },
  });
  expect(normalAnswer(401, { error: { type: "invalid_client" }, message: "no" }, quirks)).toEqual({
    status: 400,
    body: { error: "invalid_client", error_description: "no" },
  });
  expect(normalAnswer(503, { error: "down" }, quirks)?.status).toBe(503);
  expect(normalAnswer(400, { problem: "x" }, quirks)).toEqual({ status: 400, body: { problem: "x" } });
  expect(normalAnswer(200, ["a"], quirks)).toBeUndefined();
});

test("answers may be forms", () => {
  const form = "access_token=a&scope=repo%2Cgist&token_type=bearer";
  const parsed = { access_token: "a", scope: "repo,gist", token_type: "bearer" };
  expect(parseBody(form, "application/x-www-form-urlencoded; charset=utf-8")).toEqual(parsed);
  expect(parseBody(form, "text/plain")).toEqual(parsed);
  expect(parseBody('{"access_token":"a"}', "application/json")).toEqual({ access_token: "a" });
  expect(parseBody('\uFEFF{"access_token":"a"}', "application/json")).toEqual({ access_token: "a" });
  expect(parseBody("<html>", "text/html")).toBeUndefined();
});

test("the id of the user is that of the ID token, of the service's own field, or of a usual one", () => {
  expect(moreFields({ user_id: 7 }, {}, "sub-1")).toEqual({ oauth_uid: "sub-1" });
  expect(moreFields({ athlete: { id: 12 }, user_id: 7 }, { oauth_uid: "athlete.id" }, undefined)).toEqual({
    oauth_uid: "12",
  });
  expect(moreFields({ user_id: 7 }, {}, undefined)).toEqual({ oauth_uid: "7" });
  expect(moreFields({ instance_url: "https://eu.example" }, { instance_url: "instance_url" }, undefined)).toEqual({
    instance_url: "https://eu.example",
  });
  expect(moreFields({ a: null }, { b: "a.c" }, undefined)).toEqual({});
});
