import { describe, expect, test } from "vitest";

import type { Delivery, DeliveryStatus } from "../../../model/src/listener-model.ts";
import { exampleWebhook } from "../../../store/src/conformance/examples.cases.ts";
import { isSigned, openTrial, queued, startMs } from "./outbox.cases.ts";
import { answer, endlessBody, hang, hugeBody, reset } from "./receiver.cases.ts";
import { standardSchedule } from "./retry.ts";

const outcome = ({ status, attempts }: Delivery): [DeliveryStatus, (number | null)[]] => [
  status,
  attempts.map(({ httpStatus }) => httpStatus),
];

describe("outbox", () => {
  test("G13 a delivery that always fails gets ten attempts at the times of the schedule, then it is dead", async () => {
    const trial = await openTrial({ random: 0.5 });
    await trial.webhook("wh_1", trial.receiver.on("/bad", answer(500)));
    await trial.queue(queued("dlv_a"));
    await trial.outbox.idle();
    for (const delay of standardSchedule.slice(1)) {
      const count = trial.receiver.received.length;
      await trial.advance(delay * 1.1 - 1);
      expect(trial.receiver.received).toHaveLength(count);
      await trial.advance(1);
      expect(trial.receiver.received).toHaveLength(count + 1);
    }
    await trial.advance(100 * 3_600_000);
    const { received } = trial.receiver;
    expect(received.map(({ headers }) => headers["x-attempt"])).toEqual(
      Array.from({ length: 10 }, (_, n) => `${n + 1}`),
    );
    expect(new Set(received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(["msg_a"]));
    expect(new Set(received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10);
    const key = exampleWebhook("").signingKey;
    expect(received.every((request) => isSigned(request, key))).toBe(true);
    expect(trial.deadLetters).toEqual([{ id: "dlv_a", problem: "the receiver answered 500", attempts: 10 }]);
    expect(outcome(await trial.delivery("dlv_a"))).toEqual(["dead", Array.from({ length: 10 }, () => 500)]);
    expect(await trial.store.deliveryLanes()).toEqual([]);
  });

  test.each([
    ["an error", answer(503), 503, "answered 503"],
    ["a redirect", answer(302, { location: "/elsewhere" }), 302, "answered 302"],
    ["a refusal", answer(404), 404, "answered 404"],
    ["a reset", reset, null, "failed"],
    ["no answer", hang, null, "no answer within 400 ms"],
  ] as const)("G13 %s is a failure, and the next attempt delivers", async (_, behaviour, status, problem) => {
    const trial = await openTrial({ timeoutMs: behaviour === hang ? 400 : 5_000 });
    const well = answer(200);
    const url = trial.receiver.on("/hook", (response, request, nth) =>
      (nth === 1 ? behaviour : well)(response, request, nth),
    );
    await trial.webhook("wh_1", url);
    await trial.queue(queued("dlv_a"));
    await trial.outbox.idle();
    const failed = await trial.delivery("dlv_a");
    expect(outcome(failed)).toEqual(["pending", [status]]);
    expect(failed.attempts[0]?.error).toContain(problem);
    expect(failed.nextAttemptAt).toBe(startMs + 5_000);
    await trial.advance(5_000);
    expect(outcome(await trial.delivery("dlv_a"))).toEqual(["delivered", [status, 200]]);
    expect(trial.receiver.bodies("/hook")).toEqual(['"dlv_a"', '"dlv_a"']);
    expect(trial.receiver.bodies("/elsewhere")).toEqual([]);
  });

  test.each([
    ["never ends", endlessBody],
    ["is huge", hugeBody],
  ] as const)("3.8 a success whose body %s counts as delivered", async (_, behaviour) => {
    const trial = await openTrial({ timeoutMs: behaviour === endlessBody ? 1_000 : 60_000 });
    await trial.webhook("wh_1", trial.receiver.on("/hook", behaviour));
    await trial.queue(queued("dlv_a"));
    await trial.outbox.idle();
    expect(outcome(await trial.delivery("dlv_a"))).toEqual(["delivered", [200]]);
  });

  test("the error of a refused connection names no secrets of the URL", async () => {
    const trial = await openTrial();
    const closedPort = trial.receiver.url.replace(/:\d+$/, ":1").replace("http://", "http://user:password@");
    await trial.webhook("wh_1", `${closedPort}/hook?token=secret`);
    await trial.queue(queued("dlv_a"));
    await trial.outbox.idle();
    const [attempt] = (await trial.delivery("dlv_a")).attempts;
    expect(attempt?.error).toMatch(/ECONNREFUSED|bad port/);
    expect(attempt?.error).not.toMatch(/password|secret/);
  });

  test("S19 Retry-After delays the next attempt", async () => {
    const trial = await openTrial();
    await trial.webhook("wh_1", trial.receiver.on("/busy", answer(429, { "retry-after": "90" })));
    await trial.queue(queued("dlv_a"));
    await trial.outbox.idle();
    expect((await trial.delivery("dlv_a")).nextAttemptAt).toBe(startMs + 90_000);
  });

  test("G13 a 410 ends the delivery and makes the webhook inactive; pending deliveries are sent when it is active again", async () => {
    const trial = await openTrial();
    await trial.webhook("wh_1", trial.receiver.on("/gone", answer(410)));
    await trial.queue(queued("dlv_a"), queued("dlv_b"));
    await trial.outbox.idle();
    expect(trial.deadLetters).toEqual([{ id: "dlv_a", problem: "the receiver answered 410", attempts: 1 }]);
    expect((await trial.store.webhook("wh_1"))?.active).toBe(false);
    await trial.advance(1_000_000);
    expect(trial.receiver.received).toHaveLength(1);
    await trial.webhook("wh_1", trial.receiver.on("/back", answer(200)));
    await trial.outbox.wake("wh_1");
    await trial.outbox.idle();
    expect(trial.receiver.bodies("/back")).toEqual(['"dlv_b"']);
  });

  test("G13 first attempts of one emitter keep their order, and a failure does not block later deliveries", async () => {
    const trial = await openTrial();
    const url = trial.receiver.on("/hook", (response, { body }, nth) =>
      answer(body === '"dlv_00"' && nth === 1 ? 500 : 200)(response, { path: "", headers: {}, body }, nth),
    );
    await trial.webhook("wh_1", url);
    const names = Array.from({ length: 30 }, (_, n) => `dlv_${String(n).padStart(2, "0")}`);
    await trial.queue(...names.map((name) => queued(name)));
    await trial.outbox.idle();
    expect(trial.receiver.bodies("/hook")).toEqual(names.map((name) => `"${name}"`));
    await trial.advance(5_000);
    expect(trial.receiver.bodies("/hook").slice(30)).toEqual(['"dlv_00"']);
  });

  test("a dead receiver with many deliveries does not delay other webhooks", async () => {
    const trial = await openTrial({ timeoutMs: 60_000, sockets: 16 });
    await trial.webhook("wh_dead", trial.receiver.on("/dead", hang));
    await trial.webhook("wh_well", trial.receiver.on("/well", answer(200)));
    const lanes = Array.from({ length: 50 }, (_, n) => n);
    await trial.queue(...lanes.map((n) => queued(`dlv_d${n}`, { webhookId: "wh_dead", emitterId: `dc_${n}` })));
    await trial.queue(...lanes.map((n) => queued(`dlv_w${n}`, { webhookId: "wh_well", emitterId: `dc_${n}` })));
    // The dead receiver holds no more than its share of the sockets.
    await trial.receiver.reached(50 + 4);
    expect(trial.receiver.bodies("/well")).toHaveLength(50);
    expect(trial.receiver.bodies("/dead")).toHaveLength(4);
  });

  test("a hundred receivers that hang do not delay other webhooks", async () => {
    const trial = await openTrial({ timeoutMs: 60_000 });
    const hung = Array.from({ length: 100 }, (_, n) => n);
    const url = trial.receiver.on("/dead", hang);
    for (const n of hung) await trial.webhook(`wh_dead${n}`, url);
    await trial.webhook("wh_well", trial.receiver.on("/well", answer(200)));
    await trial.queue(...hung.map((n) => queued(`dlv_d${n}`, { webhookId: `wh_dead${n}` })));
    await trial.receiver.reached(100);
    await trial.queue(queued("dlv_w", { webhookId: "wh_well" }));
    await trial.receiver.reached(101);
    expect(trial.receiver.bodies("/well")).toEqual(['"dlv_w"']);
  });

  test("a large delivery waits while all sockets are in use, and is sent when one is free", async () => {
    const trial = await openTrial({ timeoutMs: 60_000, sockets: 4 });
    const answers: (() => void)[] = [];
    const url = trial.receiver.on("/slow", (response) => void answers.push(() => response.writeHead(200).end()));
    for (let n = 0; n < 4; n += 1) await trial.webhook(`wh_slow${n}`, url);
    await trial.webhook("wh_well", trial.receiver.on("/well", answer(200)));
    await trial.queue(...[0, 1, 2, 3].map((n) => queued(`dlv_s${n}`, { webhookId: `wh_slow${n}` })));
    await trial.receiver.reached(4);
    const payload = JSON.stringify("x".repeat(300_000));
    await trial.queue(queued("dlv_large", { webhookId: "wh_well", emitterId: "dc_1", payload }));
    await trial.queue(queued("dlv_small", { webhookId: "wh_well", emitterId: "dc_2" }));
    await trial.receiver.reached(5);
    expect(trial.receiver.bodies("/well")).toEqual(['"dlv_small"']);
    for (const finish of answers) finish();
    await trial.receiver.reached(6);
    expect(trial.receiver.bodies("/well")).toEqual(['"dlv_small"', payload]);
  });

  test("S19 an attempt that the end of the process aborts does not count, and is made after the restart", async () => {
    const trial = await openTrial({ timeoutMs: 60_000 });
    const well = answer(200);
    const url = trial.receiver.on("/hook", (...given) => (given[2] === 1 ? hang : well)(...given));
    await trial.webhook("wh_1", url);
    await trial.queue(queued("dlv_a"), queued("dlv_b"));
    await trial.receiver.reached(1);
    await trial.outbox.close(20);
    expect(outcome(await trial.delivery("dlv_a"))).toEqual(["pending", []]);
    const next = await trial.restart();
    await next.idle();
    expect(trial.receiver.bodies("/hook")).toEqual(['"dlv_a"', '"dlv_a"', '"dlv_b"']);
    expect(trial.receiver.received.map(({ headers }) => headers["x-attempt"])).toEqual(["1", "1", "1"]);
    expect(outcome(await trial.delivery("dlv_a"))).toEqual(["delivered", [200]]);
  });

  test("S19 an attempt that ends within the grace period counts", async () => {
    const trial = await openTrial();
    await trial.webhook("wh_1", trial.receiver.on("/hook", answer(200)));
    await trial.queue(queued("dlv_a"), queued("dlv_b"));
    await trial.outbox.close(10_000);
    expect(outcome(await trial.delivery("dlv_a"))).toEqual(["delivered", [200]]);
    expect(outcome(await trial.delivery("dlv_b"))).toEqual(["pending", []]);
  });

  test("deliveries of a deleted webhook are removed", async () => {
    const trial = await openTrial();
    await trial.queue(queued("dlv_a", { webhookId: "wh_gone" }));
    await trial.outbox.idle();
    expect(await trial.store.delivery("dlv_a")).toBeUndefined();
  });

  test("about a hundred of the newest delivered deliveries are kept", async () => {
    const trial = await openTrial();
    await trial.webhook("wh_1", trial.receiver.on("/hook", answer(200)));
    const all = Array.from({ length: 220 }, (_, n) => queued(`dlv_${n}`));
    await trial.queue(...all);
    await trial.outbox.idle();
    expect(trial.receiver.bodies("/hook")).toHaveLength(220);
    const { totalCount, items } = await trial.store.deliveries("wh_1", { limit: 1 });
    expect(totalCount).toBeLessThan(150);
    expect(items[0]?.id).toBe("dlv_219");
  });
});
