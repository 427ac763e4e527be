import { describe, expect, test } from "vitest";

import type { Verification } from "@x/model";
import { openHandshake, signedHandshake } from "./handshake.ts";
import type { SignedRequest } from "./signed-request.ts";
import { requestOf, type Vector, vectors, verificationOf } from "./vectors.cases.ts";

const shown = (result: ReturnType<typeof openHandshake>): unknown =>
  typeof result === "object"
    ? [result.status, result.headers.map(([, value]) => value).join("; "), Buffer.from(result.body).toString()]
    : result;
const plain = "text/plain; charset=utf-8; nosniff";
const get = (search: string): SignedRequest => ({
  method: "GET",
  url: `https://x.example/in/k1?${search}`,
  search,
  headers: [],
  body: new Uint8Array(0),
});
const named = (name: string): Vector => vectors.find((each) => each.name === name) as Vector;
const asked = (name: string, body: string = named(name).body): unknown =>
  shown(signedHandshake(requestOf(named(name), { body: Buffer.from(body) }), verificationOf(named(name))));

describe("signed handshakes", () => {
  test("V2 slack: the challenge as text", () => {
    expect(asked("V2")).toEqual([200, plain, "3eZbrw1aBm2r"]);
    expect(asked("V1")).toBeUndefined();
  });
  test("V5 zoom: the token and its HMAC", () => {
    const encryptedToken = "c4df0a1443a62c19b5ddc5fa0a412fbb20bd9a87925a5b718275100c25254473";
    const body = JSON.stringify({ plainToken: "qgg8vlvZRS6U", encryptedToken });
    expect(asked("V5")).toEqual([200, "application/json; nosniff", body]);
    expect(asked("V4")).toBeUndefined();
  });
  test("V10 discord: 204 for webhooks, a PONG for interactions, and no answer to events", () => {
    expect(asked("V10")).toEqual([204, "", ""]);
    expect(asked("V10", '{"type":1,"id":"1"}')).toEqual([200, "application/json; nosniff", '{"type":1}']);
    expect(asked("V10", '{"type":1,"event":{"type":"APPLICATION_AUTHORIZED"}}')).toBeUndefined();
  });
  test("github and intercom: a ping", () => {
    const ping = Object.entries(named("V6").headers).filter(([name]) => name !== "x-github-event");
    const request = requestOf(named("V6"), { headers: [...ping, ["X-GitHub-Event", "ping"]] });
    expect(shown(signedHandshake(request, verificationOf(named("V6"))))).toEqual([200, "", ""]);
    expect(asked("V6")).toBeUndefined();
    const intercom = requestOf(named("V6"), { body: Buffer.from('{"topic":"ping"}') });
    expect(shown(signedHandshake(intercom, { scheme: "intercom", secrets: ["s"] }))).toEqual([200, "", ""]);
  });
  test.each([
    ["markup is text", "<script>alert(1)</script>", [200, plain, "<script>alert(1)</script>"]],
    ["1 KiB", "a".repeat(1_024), [200, plain, "a".repeat(1_024)]],
    ["more than 1 KiB", "a".repeat(1_025), "unreadable"],
    ["line breaks", "a\r\nset-cookie: b", "unreadable"],
    ["other characters", "é", "unreadable"],
    ["nothing", "", "unreadable"],
  ])("a challenge: %s", (_, challenge, expected) => {
    expect(asked("V2", JSON.stringify({ type: "url_verification", challenge }))).toEqual(expected);
  });
});

describe("handshakes that are not signed", () => {
  const open = (verification: Verification, search: string): unknown => shown(openHandshake(get(search), verification));
  const dropbox: Verification = { scheme: "dropbox", secrets: ["s"] };
  test("V11 dropbox: the challenge as text", () => {
    expect(open(dropbox, "challenge=abc")).toEqual([200, plain, "abc"]);
    expect(open(dropbox, "challenge=%0d%0aa")).toBe("unreadable");
    expect(open(dropbox, "other=abc")).toBeUndefined();
    expect(shown(openHandshake(requestOf(named("V11"), { search: "challenge=abc" }), dropbox))).toBeUndefined();
  });
  test("meta and strava: the token must match", () => {
    const search = "hub.mode=subscribe&hub.challenge=15f7d1a91c1f40f8a748fd134752feb3&hub.verify_token=";
    expect(open({ scheme: "strava", secrets: ["STRAVA"] }, `${search}STRAVA`)).toEqual([
      200,
      "application/json; nosniff",
      '{"hub.challenge":"15f7d1a91c1f40f8a748fd134752feb3"}',
    ]);
    const meta: Verification = { scheme: "meta", parameters: { verifyToken: "v" }, secrets: ["app secret"] };
    expect(open(meta, `${search}v`)).toEqual([200, plain, "15f7d1a91c1f40f8a748fd134752feb3"]);
    for (const token of ["", "app%20secret", "vv"]) expect(open(meta, search + token)).toBe("token_mismatch");
  });
  test("trello: a HEAD", () => {
    const head = { ...get(""), method: "HEAD" };
    expect(shown(openHandshake(head, { scheme: "trello", secrets: ["s"] }))).toEqual([200, "", ""]);
    expect(openHandshake(head, { scheme: "github", secrets: ["s"] })).toBeUndefined();
  });
  test("hmac: what its parameters say", () => {
    const parameters = { header: "x-a", challenge: "crc" };
    expect(open({ scheme: "hmac", parameters, secrets: ["s"] }, "crc=1")).toEqual([200, plain, "1"]);
  });
});
