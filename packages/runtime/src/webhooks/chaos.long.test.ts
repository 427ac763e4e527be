import { expect, test } from "vitest";

import { sha256Hex } from "../../../model/src/process/sha256.ts";
import { exampleWebhook } from "../../../store/src/conformance/examples.cases.ts";
import { isSigned, openTrial, queued } from "./outbox.cases.ts";
import { answer, type Behaviour, endlessBody, hang, reset } from "./receiver.cases.ts";

const faults: readonly Behaviour[] = [
  answer(500),
  answer(429, { "retry-after": "30" }),
  answer(302, { location: "/elsewhere" }),
  answer(404),
  reset,
  hang,
];
const successes: readonly Behaviour[] = [answer(200), answer(204), endlessBody];
const webhooks = ["wh_a", "wh_b", "wh_c"];
const emitters = ["dc_1", "dc_2", "dc_3", "dc_4"];
const eventsEach = 6;
/** The receiver accepts this attempt and every later one. */
const acceptedFrom = 6;

test("G13 under every kind of fault each event arrives at least once, signed, with one id, and first attempts in order", async () => {
  const trial = await openTrial({ timeoutMs: 250, random: 0.9 });
  const taken = new Map<string, number>();
  for (const id of webhooks) {
    const url = trial.receiver.on(`/${id}`, (response, request, nth) => {
      const { headers } = request;
      const attempt = Number(headers["x-attempt"]);
      // Differs between attempts, but not between runs of the test.
      const draw = Number.parseInt(sha256Hex(`${id} ${String(headers["webhook-id"])} ${attempt}`).slice(0, 8), 16);
      const isTaken = attempt >= acceptedFrom || draw % 3 === 0;
      const [behaviours, key] = [isTaken ? successes : faults, `${id} ${request.body}`];
      if (isTaken) taken.set(key, (taken.get(key) ?? 0) + 1);
      behaviours[draw % behaviours.length]?.(response, request, nth);
    });
    await trial.webhook(id, url);
  }
  const all = webhooks.flatMap((webhookId) =>
    emitters.flatMap((emitterId) =>
      Array.from({ length: eventsEach }, (_, n) => {
        const payload = JSON.stringify({ emitterId, n });
        return queued(`dlv_${webhookId}${emitterId}${n}`, {
          webhookId,
          emitterId,
          emitId: `${emitterId}${n}`,
          payload,
        });
      }),
    ),
  );
  await trial.queue(...all);
  await trial.outbox.idle();
  for (let attempt = 1; attempt < 10; attempt += 1) await trial.advance(30 * 3_600_000);

  for (const { webhookId, payload } of all) expect(taken.get(`${webhookId} ${payload}`)).toBeGreaterThanOrEqual(1);
  for (const { id } of all) expect((await trial.delivery(id)).status).toBe("delivered");
  expect(trial.deadLetters).toEqual([]);
  expect(trial.receiver.bodies("/elsewhere")).toEqual([]);
  const { received } = trial.receiver;
  expect(received.length).toBeGreaterThan(all.length * 1.5);
  const key = exampleWebhook("").signingKey;
  expect(received.filter((request) => !isSigned(request, key))).toEqual([]);
  for (const request of received) {
    const { emitterId, n } = JSON.parse(request.body) as { emitterId: string; n: number };
    expect(request.headers["webhook-id"]).toBe(`msg_${emitterId}${n}`);
  }
  for (const webhookId of webhooks) {
    for (const emitterId of emitters) {
      const own = trial.posted
        .map(({ url, headers, body }) => ({ url, sent: Object.fromEntries(headers), body }))
        .filter(({ url, sent }) => url.endsWith(webhookId) && sent["x-emitter-id"] === emitterId);
      const firsts = own.filter(({ sent }) => sent["x-attempt"] === "1");
      const order = firsts.map(({ body }) => (JSON.parse(body) as { n: number }).n);
      expect(order).toEqual(Array.from({ length: eventsEach }, (_, n) => n));
    }
  }
});
