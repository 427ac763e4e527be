import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Sandbox } from "../../packages/sandbox/src/contract.ts";
import {
  type ComparedSandbox,
  openComparedSandbox,
} from "../../packages/sandbox/src/engines/compared-sandbox.cases.ts";
import { openOwnSandbox, runBody, type Seen, tryComponent } from "../../packages/sandbox/src/sandbox.cases.ts";
import { sha256Hex } from "../../packages/model/src/process/sha256.ts";
import { endless } from "./programs/cpu.ts";
import { escapes } from "./programs/escapes.ts";
import { floods } from "./programs/floods.ts";
import { leftovers } from "./programs/leftovers.ts";
import type { Program } from "./programs/program.ts";
import { resources } from "./programs/resources.ts";
import { wall } from "./programs/wall.ts";

const mebibyte = 1024 * 1024;
const memoryBytes = 32 * mebibyte;
/** For programs that never end; the others have enough time for a busy machine. */
const shortMs = 300;
const longMs = 60_000;

const limits = { effectBytesPerRun: 4 * mebibyte, emitBytes: 2 * mebibyte, emitsPerRun: 10_000 };

/** For programs that only the end of their thread stops. */
let threads: Sandbox;
/** For all others: a single byte that one of them leaves behind in memory is found. */
let compared: ComparedSandbox;
beforeAll(async () => {
  threads = openOwnSandbox(limits);
  compared = await openComparedSandbox(limits);
});
afterAll(() => Promise.all([threads.close(), compared.sandbox.close()]));

const hostKeys = (): string[] =>
  [Object.prototype, Array.prototype, Function.prototype, Promise.prototype, String.prototype, globalThis].flatMap(
    (each) => Reflect.ownKeys(each).map(String),
  );
const before = hostKeys();

/** The limit in SECURITY.md, in characters. */
function expectBounded({ outcome, emits, db, logs }: Seen): void {
  const bytes = (texts: readonly (string | undefined)[]): number =>
    texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  expect(bytes(emits.map(({ payload }) => payload)) + bytes(db.map(([, value]) => value))).toBeLessThan(8 * mebibyte);
  expect(Math.max(0, ...emits.map(({ id = "", summary = "" }) => id.length + summary.length))).toBeLessThan(8_192);
  expect(logs.length).toBeLessThanOrEqual(1_200);
  expect(Math.max(0, ...logs.map(({ msg, data }) => msg.length + data.length))).toBeLessThan(64 * 1024);
  const { error } = outcome;
  expect(JSON.stringify(error ?? {}).length).toBeLessThan(256 * 1024);
  if (error) expect([typeof error.name, typeof error.message, typeof error.stack]).toEqual(Array(3).fill("string"));
  expect(outcome.memoryBytes).toBeLessThanOrEqual(memoryBytes);
  for (const { payload } of emits) JSON.parse(payload);
  for (const { data } of logs) expect(Array.isArray(JSON.parse(data))).toBe(true);
}

/** Runs the neighbour, and the same source again. */
async function expectOthersWork(sandbox: Sandbox, source: string): Promise<void> {
  for (const each of ["dc_neighbour", source]) {
    const { outcome, emits } = await tryComponent(sandbox, runBody(`this.$emit([1].map((x) => x + 1))`), {
      source: each,
      memoryBytes,
    });
    expect([each, outcome.status, emits[0]?.payload]).toEqual([each, "ok", "[2]"]);
  }
  expect(hostKeys()).toEqual(before);
}

/** Whether machines were used again since, and each began with the memory of a new one. */
function expectNothingLeft(restoredBefore: number): void {
  expect(compared.compared()).toBeGreaterThan(restoredBefore);
  expect(compared.differences()).toEqual([]);
}

async function attack({ id, body, ends, emits = [], promise }: Program): Promise<void> {
  const mayNotEnd = ends.includes("timeout");
  const sandbox = mayNotEnd ? threads : compared.sandbox;
  const restoredBefore = compared.compared();
  const code = runBody(`this.db.set("before", 1); ${body}`);
  // Evaluated before, so that the short timeout applies to the program only.
  await sandbox.describe({ hash: sha256Hex(code), code }, { timeoutMs: longMs, memoryBytes });
  const seen = await tryComponent(sandbox, code, {
    source: id,
    timeoutMs: mayNotEnd ? shortMs : longMs,
    memoryBytes,
    fetch: () => Promise.reject(new Error("no network here")),
  });
  expect(ends, seen.outcome.error?.stack).toContain(seen.outcome.status);
  const isTold = promise === "no-host" || promise === "values-inert";
  expect(isTold ? seen.emits.map(({ payload }) => payload) : emits).toEqual(emits);
  expect(seen.db[0]).toEqual(["before", "1"]);
  expectBounded(seen);
  await expectOthersWork(sandbox, id);
  if (!mayNotEnd) expectNothingLeft(restoredBefore);
}

describe.each([
  ["endless work", endless],
  ["memory and stacks", resources],
  ["values at the wall", wall],
  ["ways out", escapes],
  ["floods", floods],
] as const)("%s", (_what, rows) => {
  test.each(rows)("$id: $promise", attack);
});

describe("leftovers", () => {
  test.each(leftovers)("$id: $promise", async ({ id, leave, look, other }) => {
    // Two entries of one component, or two components of two users.
    const one = `module.exports = { name: "t", version: "1", async run(event) {
      if (event === "leave") { ${leave}; return }
      const found = ${look}; if (found !== undefined) this.$emit(found); } };`;
    const restoredBefore = compared.compared();
    const first = await tryComponent(compared.sandbox, one, { source: id, event: "leave", memoryBytes });
    expect(first.outcome.error).toBeUndefined();
    const code = other ? `/* another */ ${one}` : one;
    const second = await tryComponent(compared.sandbox, code, { source: other ? `${id}-2` : id, memoryBytes });
    expect([second.outcome.status, second.emits.map(({ payload }) => payload)]).toEqual(["ok", []]);
    expectNothingLeft(restoredBefore);
  });
});
