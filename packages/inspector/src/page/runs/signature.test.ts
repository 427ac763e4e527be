import { createHmac } from "node:crypto";

import { expect, test } from "vitest";

import { schemeOf, signatureHeaders, signatureSchemes } from "./signature.ts";

const now = 1_531_420_618_000;
const hmac = (key: string | Uint8Array, text: string, encoding: "hex" | "base64"): string =>
  createHmac("sha256", key).update(text, "utf8").digest(encoding);

test("a body is signed as GitHub's documentation shows", async () => {
  const signed = await signatureHeaders("github", "It's a Secret to Everybody", { body: "Hello, World!", now });
  expect(signed).toEqual({
    "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
  });
});

test("other schemes sign their own texts", async () => {
  const body = '{"ä":1}';
  const of = (scheme: string, secret = "s3cret") => signatureHeaders(scheme, secret, { body, now });
  expect(await of("stripe")).toEqual({
    "stripe-signature": `t=1531420618,v1=${hmac("s3cret", `1531420618.${body}`, "hex")}`,
  });
  expect(await of("slack")).toEqual({
    "x-slack-request-timestamp": "1531420618",
    "x-slack-signature": `v0=${hmac("s3cret", `v0:1531420618:${body}`, "hex")}`,
  });
  expect(await of("shopify")).toEqual({ "x-shopify-hmac-sha256": hmac("s3cret", body, "base64") });
  const key = Buffer.from("a key of twenty-four byte");
  const standard = await of("standard", `whsec_${key.toString("base64")}`);
  const id = standard["webhook-id"];
  expect(standard["webhook-signature"]).toBe(`v1,${hmac(key, `${id}.1531420618.${body}`, "base64")}`);
  expect(await of("")).toEqual({});
});

test("the scheme of a request is known by its headers", () => {
  expect(schemeOf(["Host", "X-Hub-Signature-256"])).toBe("github");
  expect(schemeOf(["content-type"])).toBe("");
  expect(new Set(signatureSchemes.map(({ header }) => header)).size).toBe(signatureSchemes.length);
});
