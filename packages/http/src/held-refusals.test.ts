import { expect, test } from "vitest";

import { jsonAnswer } from "./answer.ts";
import { createHeldRefusals } from "./held-refusals.ts";

/** Time that passes when the test says so. */
function manualWait() {
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const wait = (ms: number): Promise<void> => new Promise((end) => void waits.push({ ms, end }));
  return { waits, wait };
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  return settled;
}

test("a 429 is sent 100 ms later", async () => {
  const { waits, wait } = manualWait();
  const refused = jsonAnswer(429, { error: "too many" });
  const passed = createHeldRefusals(wait).pass(refused);
  expect(await isSettled(passed)).toBe(false);
  expect(waits.map(({ ms }) => ms)).toEqual([100]);
  waits[0]?.end();
  expect(await passed).toBe(refused);
});

test("other answers are sent at once", async () => {
  const { waits, wait } = manualWait();
  const held = createHeldRefusals(wait);
  for (const status of [200, 404, 503]) expect((await held.pass(jsonAnswer(status, {}))).status).toBe(status);
  expect(waits).toEqual([]);
});

test("at most 1,000 wait at the same time", async () => {
  const { waits, wait } = manualWait();
  const held = createHeldRefusals(wait);
  const first = Array.from({ length: 1_000 }, () => held.pass(jsonAnswer(429, {})));
  expect(await isSettled(held.pass(jsonAnswer(429, {})))).toBe(true);
  expect(waits).toHaveLength(1_000);
  for (const { end } of waits) end();
  await Promise.all(first);
  expect(await isSettled(held.pass(jsonAnswer(429, {})))).toBe(false);
});
