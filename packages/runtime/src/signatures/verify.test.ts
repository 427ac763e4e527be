import { createHmac, createSign, generateKeyPairSync } from "node:crypto";

import { verify as octokitVerify } from "@octokit/webhooks-methods";
import { verifyKey } from "discord-interactions";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";

import { findScheme } from "./schemes.ts";
import { requestOf, type Vector, vectors, vectorTime, verificationOf } from "./vectors.cases.ts";
import type { SignedRequest } from "./signed-request.ts";
import { rejectionOf } from "./verify.ts";

const now = vectorTime * 1_000;
const hasTime = ({ scheme }: Vector): boolean => {
  const row = findScheme(scheme);
  return row?.kind === "signature" && row.time !== undefined;
};
const otherSecret = ({ scheme }: Vector): string => {
  if (scheme === "discord") return "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
  return scheme === "standard" ? "whsec_AAAA" : "another";
};

describe.each(vectors.map((vector) => [vector.name, vector] as const))("%s", (_, vector) => {
  const verification = verificationOf(vector);
  const request = requestOf(vector);
  test("is accepted, also beside another secret and 300 s away", () => {
    expect(rejectionOf(request, verification, now)).toBeUndefined();
    const two = { ...verification, secrets: [otherSecret(vector), vector.secret] };
    expect(rejectionOf(request, two, now)).toBeUndefined();
    for (const ms of [-300_000, 300_000]) expect(rejectionOf(request, verification, now + ms)).toBeUndefined();
  });
  test("is refused with another last byte, another secret or no signature", () => {
    const changed = Buffer.from(vector.body);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(rejectionOf(requestOf(vector, { body: changed }), verification, now)).toBe("signature_mismatch");
    expect(rejectionOf(request, { ...verification, secrets: [otherSecret(vector)] }, now)).toBe("signature_mismatch");
    const headers = request.headers.filter(([name]) => name !== vector.signature);
    expect(rejectionOf({ ...request, headers }, verification, now)).toBe("signature_missing");
  });
  test("is refused with a signature of another length or alphabet, or sent twice", () => {
    const value = vector.headers[vector.signature] ?? "";
    for (const other of [value.slice(0, -2), `${value}00`, `${value.slice(0, -1)}!`, "", "=", value.slice(0, 5)]) {
      const headers = request.headers.map(([name, each]) => [name, name === vector.signature ? other : each] as const);
      expect(rejectionOf({ ...request, headers }, verification, now)).toMatch(/^signature_m/);
    }
    const twice = [...request.headers, [vector.signature.toUpperCase(), value] as const];
    expect(rejectionOf({ ...request, headers: twice }, verification, now)).toBe("signature_mismatch");
  });
});

test.each(vectors.filter(hasTime).map((vector) => [vector.name, vector] as const))(
  "%s is refused 301 s before and after its time",
  (_, vector) => {
    for (const ms of [-301_000, 301_000])
      expect(rejectionOf(requestOf(vector), verificationOf(vector), now + ms)).toBe("timestamp_outside");
  },
);

const given = (
  body: string,
  headers: { readonly [name: string]: string },
  url = "https://x.example",
): SignedRequest => ({
  method: "POST",
  url,
  search: new URL(url).search.slice(1),
  headers: Object.entries(headers),
  body: Buffer.from(body),
});

describe("published examples", () => {
  test.each<[string, string, string, number, SignedRequest]>([
    [
      "GitHub",
      "github",
      "It's a Secret to Everybody",
      0,
      given("Hello, World!", {
        "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
      }),
    ],
    [
      "Slack",
      "slack",
      "8f742231b10e8888abcd99yyyzzz85a5",
      1_531_420_618_000,
      given(
        "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
        {
          "x-slack-request-timestamp": "1531420618",
          "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
        },
      ),
    ],
    [
      "Twilio",
      "twilio",
      "12345",
      0,
      given(
        "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212",
        {
          "content-type": "application/x-www-form-urlencoded",
          "x-twilio-signature": "RSOYDt4T1cUTdK1PDd93/VVr8B8=",
        },
        "https://mycompany.com/myapp.php?foo=1&bar=2",
      ),
    ],
    [
      "Standard Webhooks",
      "standard",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      1_614_265_330_000,
      given('{"test": 2432232314}', {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      }),
    ],
  ])("%s", (_, scheme, secret, at, request) => {
    expect(rejectionOf(request, { scheme, secrets: [secret] }, at)).toBeUndefined();
  });
});

describe("what independent libraries say", () => {
  const named = (name: string): Vector => vectors.find((each) => each.name === name) as Vector;
  test("GitHub", async () => {
    const { secret, body, headers } = named("V6");
    expect(await octokitVerify(secret, body, headers["x-hub-signature-256"] ?? "")).toBe(true);
    expect(await octokitVerify(secret, `${body} `, headers["x-hub-signature-256"] ?? "")).toBe(false);
  });
  test("Standard Webhooks, a signature of ours among others", () => {
    const at = new Date();
    const webhook = new Webhook(named("V9").secret);
    const request = given('{"a":1}', {
      "webhook-id": "m",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": `v1,AAAA ${webhook.sign("m", at, '{"a":1}')}`,
    });
    expect(rejectionOf(request, verificationOf(named("V9")), at.getTime())).toBeUndefined();
  });
  test("Discord", async () => {
    const { secret, body, headers } = named("V10");
    const [signature = "", time = ""] = [headers["x-signature-ed25519"], headers["x-signature-timestamp"]];
    expect(await verifyKey(body, signature, time, secret)).toBe(true);
    expect(await verifyKey('{"type":1}', signature, time, secret)).toBe(false);
  });
});

describe("other rows", () => {
  test("sendgrid: ECDSA over the time and the body", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const secret = publicKey.export({ format: "der", type: "spki" }).toString("base64");
    const signature = createSign("sha256").update(`${vectorTime}[1]`).sign(privateKey, "base64");
    const header = "x-twilio-email-event-webhook";
    const request = given("[1]", { [`${header}-signature`]: signature, [`${header}-timestamp`]: String(vectorTime) });
    const verification = { scheme: "sendgrid", secrets: [secret] };
    expect(rejectionOf(request, verification, now)).toBeUndefined();
    expect(rejectionOf({ ...request, body: Buffer.from("[2]") }, verification, now)).toBe("signature_mismatch");
  });
  test("twilio: a JSON body is signed by its hash in the query", () => {
    const hash = "4062edaf750fb8074e7e83e0c9028c94e32468a8b6f1614774328ef045150f93";
    const url = `https://x.example/in/k?bodySHA256=${hash}`;
    const request = given('{"a":1}', { "content-type": "application/json", "x-twilio-signature": "" }, url);
    expect(rejectionOf(request, { scheme: "twilio", secrets: ["s"] }, now)).toBe("signature_mismatch");
  });
  test("token: equal texts in a header or the query, once", () => {
    const verification = { scheme: "gitlab", secrets: ["s3cret"] };
    const ask = (...headers: (readonly [string, string])[]) =>
      rejectionOf({ ...given("", {}), headers }, verification, now);
    expect(ask(["X-Gitlab-Token", "s3cret"])).toBeUndefined();
    expect(ask(["x-gitlab-token", "s3cre"])).toBe("token_mismatch");
    expect(ask()).toBe("token_mismatch");
    expect(ask(["x-gitlab-token", "s3cret"], ["x-gitlab-token", "s3cret"])).toBe("token_mismatch");
    const inQuery = { scheme: "token", parameters: { query: "key" }, secrets: ["a&b"] };
    expect(rejectionOf(given("", {}, "https://x.example/?key=a%26b"), inQuery, now)).toBeUndefined();
    expect(rejectionOf(given("", {}, "https://x.example/?key=a&key=a"), inQuery, now)).toBe("token_mismatch");
  });
  test("basic: name and password", () => {
    const verification = { scheme: "basic", secrets: ["user:pa:ss"] };
    const ask = (authorization: string) => rejectionOf(given("", { authorization }), verification, now);
    expect(ask(`Basic ${Buffer.from("user:pa:ss").toString("base64")}`)).toBeUndefined();
    expect(ask(`Basic ${Buffer.from("user:pa").toString("base64")}`)).toBe("token_mismatch");
    expect(ask("Bearer x")).toBe("token_mismatch");
  });
  test("hmac: what its parameters say", () => {
    const parameters = {
      header: "x-acme",
      item: "s",
      timestamp: "at",
      unit: "ms",
      signed: "{t}|{body}",
      algorithm: "sha512",
      encoding: "base64",
    } as const;
    const verification = { scheme: "hmac", parameters, secrets: ["k"] };
    const signature = createHmac("sha512", "k").update(`${now}|b`).digest("base64");
    expect(rejectionOf(given("b", { "x-acme": `at=${now},s=${signature}` }), verification, now)).toBeUndefined();
    expect(rejectionOf(given("c", { "x-acme": `at=${now},s=${signature}` }), verification, now)).toBe(
      "signature_mismatch",
    );
    expect(rejectionOf(given("b", { "x-acme": `s=${signature}` }), verification, now)).toBe("timestamp_missing");
    expect(rejectionOf(given("b", { "x-acme": `at=soon,s=${signature}` }), verification, now)).toBe(
      "timestamp_missing",
    );
  });
  test("a scheme that does not exist accepts nothing", () => {
    for (const scheme of ["toString", "__proto__", "paypal"])
      expect(rejectionOf(given("", {}), { scheme, secrets: [] }, now)).toBe("signature_mismatch");
  });
});
