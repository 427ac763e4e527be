import { createHmac } from "node:crypto";

import { expect, test } from "vitest";

import { exampleDelivery, exampleWebhook } from "../../../store/src/conformance/examples.cases.ts";
import { deliveryBody, deliveryHeaders, newSigningKey, rotateKey } from "./webhook.ts";

const day = 24 * 3_600_000;
const now = 1_795_190_500_900;

/** As a receiver computes it, from the text of the specification. */
function expected(key: string, id: string, seconds: number, body: string): string {
  const secret = Buffer.from(key.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", secret).update(`${id}.${seconds}.${body}`, "utf8").digest("base64")}`;
}
const headersOf = (...given: Parameters<typeof deliveryHeaders>): { [name: string]: string } =>
  Object.fromEntries(deliveryHeaders(...given));

test("G12 a key is whsec_ and at least 24 random bytes in base64", () => {
  const keys = new Set(Array.from({ length: 50 }, newSigningKey));
  expect(keys.size).toBe(50);
  for (const key of keys) {
    expect(key).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(key.slice(6), "base64").length).toBeGreaterThanOrEqual(24);
  }
});

test("G12 the signature of the example in the specification is right", () => {
  const signingKey = "whsec_plJ3nmyCDGBKInavdOK15jsl";
  const body = '{"event_type":"ping","data":{"success":true}}';
  const delivery = exampleDelivery("dlv_1", { emitId: "loFOjxBNrRLzqYUf", payload: body });
  const headers = headersOf(delivery, exampleWebhook("wh_1", { signingKey }), body, 1_731_705_121_000);
  expect(headers["webhook-id"]).toBe("msg_loFOjxBNrRLzqYUf");
  expect(headers["webhook-signature"]).toBe("v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=");
});

test("G12 the timestamp is in seconds and part of the signature; every attempt has the same id", () => {
  const webhook = exampleWebhook("wh_1");
  const delivery = exampleDelivery("dlv_1", { payload: '{"text":"\u{1F600}"}' });
  const body = deliveryBody(delivery, webhook);
  const first = headersOf(delivery, webhook, body, now);
  const retry = { ...delivery, attempts: [{ at: 1, httpStatus: 500, error: "no", durationMs: 1 }] };
  const second = headersOf(retry, webhook, body, now + 5_000);
  const id = first["webhook-id"] ?? "";
  expect([first["webhook-timestamp"], second["webhook-timestamp"]]).toEqual(["1795190500", "1795190505"]);
  expect(second["webhook-id"]).toBe(id);
  expect([first["x-attempt"], second["x-attempt"]]).toEqual(["1", "2"]);
  expect(first["webhook-signature"]).toBe(expected(webhook.signingKey, id, 1_795_190_500, body));
  expect(second["webhook-signature"]).toBe(expected(webhook.signingKey, id, 1_795_190_505, body));
});

test("G12 the previous key also signs for a day after a rotation", () => {
  const before = exampleWebhook("wh_1");
  const webhook = rotateKey(before, now);
  expect(webhook.signingKey).not.toBe(before.signingKey);
  const delivery = exampleDelivery("dlv_1");
  const id = `msg_${delivery.emitId}`;
  const signatures = (at: number): string[] =>
    (headersOf(delivery, webhook, "{}", at)["webhook-signature"] ?? "").split(" ");
  const seconds = Math.floor((now + day - 1) / 1000);
  expect(signatures(now + day - 1)).toEqual(
    [webhook.signingKey, before.signingKey].map((key) => expected(key, id, seconds, "{}")),
  );
  expect(signatures(now + day)).toHaveLength(1);
});

test("G12 the number of signatures is limited after many rotations", () => {
  let webhook = exampleWebhook("wh_1");
  for (let n = 0; n < 10; n += 1) webhook = rotateKey(webhook, now + n);
  expect(webhook.previousKeys).toHaveLength(3);
  expect(rotateKey(webhook, now + 2 * day).previousKeys).toHaveLength(1);
});

test("G11 the body is the event as emitted", () => {
  const webhook = exampleWebhook("wh_1");
  for (const payload of ["null", '"text"', '{"b":1,"a":[1e400]}']) {
    expect(deliveryBody(exampleDelivery("dlv_1", { payload }), webhook)).toBe(payload);
  }
});

test("3.8 an envelope has id, time, name, emitter and the event", () => {
  const webhook = exampleWebhook("wh_1", { format: "envelope" });
  const delivery = exampleDelivery("dlv_1", { eventName: "orders", payload: '{"n":12345678901234567890}' });
  const body = deliveryBody(delivery, webhook);
  expect(body).toBe('{"id":"1000-0","ts":1000,"name":"orders","emitter_id":"dc_1","event":{"n":12345678901234567890}}');
  expect(JSON.parse(deliveryBody({ ...delivery, ts: 5 }, webhook))).toMatchObject({ ts: 5 });
});

test("3.8 headers identify the event; a name that a header cannot hold is encoded", () => {
  const delivery = exampleDelivery("dlv_1", { eventName: "caf\u00e9\r\nx: y", ts: 7 });
  expect(headersOf(delivery, exampleWebhook("wh_1"), "{}", now)).toMatchObject({
    "content-type": "application/json",
    "x-emit-id": delivery.emitId,
    "x-emitter-id": "dc_1",
    "x-event-id": "1000-0",
    "x-event-name": "caf%C3%A9%0D%0Ax%3A%20y",
    "x-event-ts": "7",
  });
});
