import { deflateSync } from "node:zlib";

import { afterAll, beforeAll, expect, test } from "vitest";

import {
  type ComparedSandbox,
  openComparedSandbox,
} from "../../packages/sandbox/src/engines/compared-sandbox.cases.ts";
import { builtinsProgram } from "../../packages/sandbox/src/builtins-program.cases.ts";
import { randomProgram } from "../../packages/sandbox/src/random-program.cases.ts";
import { runBody, type Seen, tryComponent } from "../../packages/sandbox/src/sandbox.cases.ts";

// A call starts from a copy of its image, and what the calls before used beyond it is zeroed. After each program the whole
// memory is compared with what it must be, so that a single byte that a program leaves behind fails. Those of
// `programs.long.test.ts` are compared there.

const memoryBytes = 64 * 1024 * 1024;
const clean = runBody(`this.$emit([1].map((x) => x + 1))`);

let compared: ComparedSandbox;
beforeAll(async () => {
  compared = await openComparedSandbox();
});
afterAll(() => compared.sandbox.close());

/** Runs a program and then others in its machine; returns what was left, and how the run ended. */
async function restoredAfter(code: string): Promise<{ left: readonly string[]; outcome: Seen["outcome"] }> {
  const before = compared.compared();
  const { outcome } = await tryComponent(compared.sandbox, code, { memoryBytes, event: { round: 0 } });
  for (let round = 0; round < 2; round += 1)
    await tryComponent(compared.sandbox, clean, { memoryBytes, source: "dc_next" });
  expect(compared.compared()).toBeGreaterThan(before);
  return { left: compared.differences(), outcome };
}

test("nothing is left in memory by random programs", async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const { left, outcome } = await restoredAfter(randomProgram(seed));
    expect([seed, left, outcome.status, outcome.error?.message]).toEqual([seed, [], "ok", undefined]);
  }
});

test("nothing is left in memory by any built-in function", async () => {
  const before = compared.compared();
  for (let seed = 1; seed <= 12; seed += 1) {
    const { outcome, emits } = await tryComponent(compared.sandbox, builtinsProgram(seed), { memoryBytes });
    const { status, error } = outcome;
    expect([seed, status, error?.message, Number(emits[0]?.payload) > 1_000]).toEqual([seed, "ok", undefined, true]);
    await tryComponent(compared.sandbox, clean, { memoryBytes, source: "dc_next" });
    expect(compared.differences()).toEqual([]);
  }
  // Machines whose memory grew are not used again.
  expect(compared.compared() - before).toBeGreaterThan(6);
});

/** Lets the engine's code end where it is: deep in calls, the host has no memory for its answer. */
const endInside = runBody(`
  const { inflateSync } = require("node:zlib");
  const packed = Buffer.from(event.packed, "base64");
  const down = (left) => (left > 0 ? [1].map(() => down(left - 1))[0] : inflateSync(packed));
  const own = Array.prototype[Symbol.iterator];
  let isArmed = true;
  setTimeout(() => undefined, 1e6);
  // Runs when the host asks which timers are left.
  Array.prototype[Symbol.iterator] = function () {
    if (isArmed && typeof this[0] === "number") {
      isArmed = false;
      down(200);
    }
    return own.call(this);
  };`);
const measureDepth = runBody(
  `let depth = 0; const call = () => { depth += 1; call() }; try { call() } catch {} this.$emit(depth)`,
);

test("a run that ends inside the engine after its result leaves other runs the whole stack, and its machine to none", async () => {
  const small = { memoryBytes: 16 * 1024 * 1024 };
  const depthOf = async (): Promise<string | undefined> =>
    (await tryComponent(compared.sandbox, measureDepth, { ...small, source: "dc_depth" })).emits[0]?.payload;
  await depthOf();
  const depth = await depthOf();
  const packed = deflateSync(Buffer.alloc(14 * 1024 * 1024)).toString("base64");
  const { outcome } = await tryComponent(compared.sandbox, endInside, { ...small, event: { packed } });
  const before = compared.compared();
  expect([outcome.status, await depthOf()]).toEqual(["ok", depth]);
  expect(Number(depth)).toBeGreaterThan(100);
  expect(compared.compared()).toBe(before);
});
