import { expect, test } from "vitest";

import { createRotation, type Turn } from "./rotation.ts";

function takeAll(rotation: ReturnType<typeof createRotation>): Turn[] {
  const turns: Turn[] = [];
  for (let turn = rotation.take(); turn; turn = rotation.take()) turns.push(turn);
  return turns;
}
const fill = (rotation: ReturnType<typeof createRotation>, webhookId: string, count: number): void => {
  for (let n = 0; n < count; n += 1) rotation.add(webhookId, `dc_${n}`);
};
const counts = (turns: readonly Turn[]): { [webhookId: string]: number } => {
  const found: { [webhookId: string]: number } = {};
  for (const { webhookId } of turns) found[webhookId] = (found[webhookId] ?? 0) + 1;
  return found;
};

test("webhooks take turns, within the number of sockets", () => {
  const rotation = createRotation(8);
  fill(rotation, "wh_a", 5);
  fill(rotation, "wh_b", 5);
  fill(rotation, "wh_c", 5);
  fill(rotation, "wh_d", 5);
  expect(
    takeAll(rotation)
      .map(({ webhookId }) => webhookId.at(-1))
      .join(""),
  ).toBe("abcdabcd");
});

test("one webhook alone gets at most a quarter of the sockets", () => {
  const rotation = createRotation(64);
  fill(rotation, "wh_a", 100);
  let turns = takeAll(rotation);
  expect(turns).toHaveLength(4);
  // Each success makes its share larger.
  for (let round = 0; round < 20; round += 1) {
    for (const turn of turns) turn.release(true);
    fill(rotation, "wh_a", 100);
    turns = takeAll(rotation);
  }
  expect(turns).toHaveLength(16);
});

test("a webhook that fails gets one socket until it succeeds again", () => {
  const rotation = createRotation(64);
  fill(rotation, "wh_dead", 100);
  for (const turn of takeAll(rotation)) turn.release(false);
  const [probe, ...others] = takeAll(rotation);
  expect(others).toEqual([]);
  probe?.release(true);
  expect(takeAll(rotation)).toHaveLength(2);
});

test("webhooks that fail hold at most a quarter of the sockets together", () => {
  const rotation = createRotation(64);
  for (let n = 0; n < 100; n += 1) rotation.add(`wh_dead${n}`, "dc_1");
  for (let turns = takeAll(rotation); turns.length > 0; turns = takeAll(rotation)) {
    for (const turn of turns) turn.release(false);
  }
  for (let n = 0; n < 100; n += 1) rotation.add(`wh_dead${n}`, "dc_1");
  expect(takeAll(rotation)).toHaveLength(16);
  rotation.add("wh_well", "dc_1");
  expect(counts(takeAll(rotation))).toEqual({ wh_well: 1 });
});

test("a webhook that has no attempt under way does not wait for a hundred that hang", () => {
  const rotation = createRotation(64);
  for (let n = 0; n < 100; n += 1) fill(rotation, `wh_hung${n}`, 5);
  const hung = takeAll(rotation);
  expect(hung).toHaveLength(100);
  fill(rotation, "wh_well", 3);
  const [first, ...others] = takeAll(rotation);
  expect([first?.webhookId, others]).toEqual(["wh_well", []]);
  first?.release(true);
  expect(counts(takeAll(rotation))).toEqual({ wh_well: 1 });
  // Failing webhooks hold few sockets, and the number of spare sockets is limited.
  for (const turn of hung) turn.release(false);
  expect(takeAll(rotation).filter(({ webhookId }) => webhookId !== "wh_well")).toHaveLength(16);
  for (let n = 0; n < 1_000; n += 1) rotation.add(`wh_new${n}`, "dc_1");
  expect(takeAll(rotation)).toHaveLength(4 * 64 - 18);
});

test("a large delivery waits for one of the sockets, a small one can get a spare socket", () => {
  const rotation = createRotation(4);
  for (let n = 0; n < 4; n += 1) fill(rotation, `wh_hung${n}`, 1);
  const hung = takeAll(rotation);
  expect(hung.map(({ isSpare }) => isSpare)).toEqual([false, false, false, false]);
  rotation.add("wh_a", "dc_large", true);
  expect(takeAll(rotation)).toEqual([]);
  rotation.add("wh_a", "dc_small");
  expect(takeAll(rotation)).toMatchObject([{ emitterId: "dc_small", isSpare: true }]);
  hung[0]?.release(true);
  hung[1]?.release(true);
  rotation.add("wh_b", "dc_large", true);
  expect(takeAll(rotation)).toMatchObject([{ webhookId: "wh_b", emitterId: "dc_large", isSpare: false }]);
});

test("a second release of a socket does nothing", () => {
  const rotation = createRotation(4);
  fill(rotation, "wh_a", 3);
  const [turn] = takeAll(rotation);
  turn?.release();
  turn?.release();
  turn?.release(true);
  expect(takeAll(rotation)).toHaveLength(1);
});

test("a lane that is added twice waits once", () => {
  const rotation = createRotation(4);
  rotation.add("wh_a", "dc_1");
  rotation.add("wh_a", "dc_1");
  expect(takeAll(rotation)).toHaveLength(1);
});

test("lanes of emitters that go to another node get no socket", () => {
  const rotation = createRotation(8);
  fill(rotation, "wh_a", 2);
  fill(rotation, "wh_b", 1);
  rotation.forget((emitterId) => emitterId === "dc_0");
  expect(takeAll(rotation).map(({ webhookId, emitterId }) => [webhookId, emitterId])).toEqual([["wh_a", "dc_1"]]);
});

test("of idle webhooks that fail, as many as may be deleted meanwhile, the last 10,000 are remembered", () => {
  const rotation = createRotation(64);
  const socketsOf = (webhookId: string): number => {
    fill(rotation, webhookId, 100);
    const turns = takeAll(rotation);
    rotation.forget(() => true);
    for (const turn of turns) turn.release();
    return turns.length;
  };
  for (let n = 0; n <= 10_000; n += 1) {
    rotation.add(`wh_${n}`, "dc_1");
    rotation.take()?.release(false);
  }
  expect(socketsOf("wh_0")).toBe(4);
  expect(socketsOf("wh_1")).toBe(1);
  expect(socketsOf("wh_10000")).toBe(1);
});
