import { expect, test } from "vitest";

import type { Delivery, DeliveryAttempt } from "../../../model/src/listener-model.ts";
import { exampleWebhook } from "../../../store/src/conformance/examples.cases.ts";
import { openTrial, queued } from "./outbox.cases.ts";
import { answer, type Behaviour, endlessBody, hang, hugeBody } from "./receiver.cases.ts";

const responses = ({ attempts }: Delivery): DeliveryAttempt["response"][] => attempts.map(({ response }) => response);

/** The response that is stored of a receiver with this behaviour. */
async function stored(behaviour: Behaviour, timeoutMs = 60_000): Promise<DeliveryAttempt["response"]> {
  const trial = await openTrial({ timeoutMs });
  await trial.webhook("wh_1", trial.receiver.on("/hook", behaviour));
  await trial.queue(queued("dlv_a"));
  await trial.outbox.idle();
  return responses(await trial.delivery("dlv_a"))[0];
}

test("what a receiver answered is stored with the attempt: headers that tell something, and the body", async () => {
  const found = await stored((response) => {
    response.writeHead(422, {
      "content-type": "text/plain",
      "X-Request-Id": "r-1",
      "set-cookie": "id=1",
      "x-other": "2",
      via: ["1.1 a", "1.1 b"],
    });
    response.end("No such { ä");
  });
  expect(found).toEqual({
    headers: { "content-type": "text/plain", "x-request-id": "r-1", via: ["1.1 a", "1.1 b"] },
    body: { text: "No such { ä" },
    bodyBytes: 12,
  });
});

test("bytes that are no text are stored in base64, and nothing of an empty body", async () => {
  const bytes = Buffer.from([0xff, 0, 1]);
  const { body, bodyBytes } = (await stored((response) => response.end(bytes))) ?? {};
  expect([body, bodyBytes]).toEqual([{ base64: bytes.toString("base64") }, 3]);
  expect(await stored((response) => response.writeHead(204).end())).toEqual({ headers: {}, bodyBytes: 0 });
});

test("an answer that is long, huge or without an end is stored in part", async () => {
  const long = await stored((response) => response.end("b".repeat(900) + "a".repeat(10_000)));
  expect(long?.body).toEqual({ text: `${"b".repeat(900) + "a".repeat(124)}…`, truncated: true });
  const many = Object.fromEntries(["server", "via", "location"].map((name) => [name, "h".repeat(600)]));
  expect(Object.keys((await stored(answer(500, many)))?.headers ?? {})).toEqual(["server"]);
  const huge = await stored(hugeBody);
  expect([huge?.body?.text?.length, huge?.body?.truncated]).toEqual([1_025, true]);
  expect(huge?.bodyBytes).toBeLessThan(8 * 1024 * 1024);
  expect(await stored(endlessBody, 1_000)).toEqual({ headers: {}, body: { text: "a" }, bodyBytes: 1 });
});

test("secrets of the emitter and signing keys are masked, also where the stored part ends", async () => {
  const key = exampleWebhook("wh_1").signingKey;
  const found = await stored((response) =>
    response
      .writeHead(500, { location: "/?key=sesame-1234" })
      .end(`${key} ${key.slice(6)} sesame-1234 ${"x".repeat(5_000)} sesame-1234`),
  );
  expect(found?.headers).toEqual({ location: "/?key=***" });
  expect(found?.body?.text).toMatch(/^\*\*\* \*\*\* \*\*\* x{1012}…$/);
});

test("without an answer nothing is stored; of many answers the newest are, within a bound", async () => {
  const trial = await openTrial({ timeoutMs: 200 });
  const late: Behaviour = (response) => response.writeHead(503).end("x".repeat(1_000));
  const behaviour: Behaviour = (response, request, nth) => (nth === 1 ? hang : late)(response, request, nth);
  await trial.webhook("wh_1", trial.receiver.on("/hook", behaviour));
  await trial.queue(queued("dlv_a"));
  await trial.outbox.idle();
  const kept = async (): Promise<boolean[]> =>
    responses(await trial.delivery("dlv_a")).map((response) => response !== undefined);
  for (let attempt = 2; attempt <= 8; attempt += 1) await trial.advance(30 * 3_600_000);
  expect(await kept()).toEqual([false, ...Array(7).fill(true)]);
  for (let attempt = 9; attempt <= 10; attempt += 1) await trial.advance(30 * 3_600_000);
  expect(await kept()).toEqual([false, false, false, ...Array(7).fill(true)]);
  const { attempts, status } = await trial.delivery("dlv_a");
  expect([status, attempts.map(({ httpStatus }) => httpStatus)]).toEqual(["dead", [null, ...Array(9).fill(503)]]);
});
