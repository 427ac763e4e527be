import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { sha256Hex } from "../../../model/src/process/sha256.ts";
import type { Sandbox } from "../contract.ts";
import { openOwnSandbox, runBody, type Seen, tryComponent } from "../sandbox.cases.ts";

/** Longer than any test takes on a busy machine: what spins ends with the sandbox. */
const limits = { timeoutMs: 3_600_000, memoryBytes: 64 * 1024 * 1024 };
const tenSpinners = [...Array(10).keys()];
const manySpinners = [...Array(20).keys()];

let sandbox: Sandbox;
/** Number of spinning jobs that have ended; 0 while the neighbours run. */
let ended = 0;
beforeEach(async () => {
  sandbox = openOwnSandbox();
  ended = 0;
});
afterEach(() => sandbox.close());

const spin = (index: number): Promise<Seen> =>
  tryComponent(sandbox, `${index}; ${runBody("for (;;);")}`, {
    source: `dc_spin${index}`,
    call: { userId: "u_spin" },
    timeoutMs: limits.timeoutMs,
  }).finally(() => (ended += 1));

const spinWhileLoading = (index: number): Promise<unknown> => {
  const code = `${index}; for (;;);`;
  return sandbox.describe({ hash: sha256Hex(code), code }, limits).finally(() => (ended += 1));
};

/** A call and a description of another user, one after the other. */
async function runNeighbour(name: string, userId: string): Promise<readonly (string | undefined)[]> {
  const code = runBody(`this.$emit("${name}")`);
  const seen = await tryComponent(sandbox, code, { source: name, call: { userId } });
  const described = await sandbox.describe({ hash: name, code }, { ...limits, userId });
  return [seen.emits[0]?.payload, described.ok ? "described" : described.error.message];
}

describe("S24 neighbours of components that spin", () => {
  it.each(["u_other", "u_spin"])("run, all of user %s's, while 20 sources spin", async (userId) => {
    const spinning = manySpinners.map(spin);
    for (const name of ["dc_1", "dc_2", "dc_1", "dc_3"])
      expect(await runNeighbour(name, userId)).toEqual([`"${name}"`, "described"]);
    expect(ended).toBe(0);
    await sandbox.close();
    expect((await Promise.all(spinning)).map(({ outcome }) => outcome.error?.code)).toEqual(
      manySpinners.map(() => "closed"),
    );
  });

  it("run while 20 modules spin during their evaluation", async () => {
    const spinning = manySpinners.map(spinWhileLoading);
    for (const name of ["dc_1", "dc_2", "dc_3", "dc_4"])
      expect(await runNeighbour(name, "")).toEqual([`"${name}"`, "described"]);
    expect(ended).toBe(0);
    await sandbox.close();
    await Promise.all(spinning);
  });

  it("run also when the spinning sources are called again", async () => {
    const spinning = tenSpinners.map(spin);
    const again = tenSpinners.map((index) => spin(index));
    expect(await runNeighbour("dc_1", "u_other")).toEqual(['"dc_1"', "described"]);
    expect(ended).toBe(0);
    await sandbox.close();
    await Promise.all([...spinning, ...again]);
  });
});

it("calls that ended just before one of their thread that never does have their outcome, and their effects once", async () => {
  const body = `this.$emit(event); if (event === "endless") "a".repeat(2e6).indexOf("a".repeat(1e6) + "b")`;
  const call = (event: string, timeoutMs: number): Promise<Seen> =>
    tryComponent(sandbox, runBody(body), { source: `dc_${event}`, event, timeoutMs });
  await call("first", 60_000);
  // Posted together, so that the ends of the others wait for the next message of the thread, which does not come.
  const [a, b, endless, c] = await Promise.all([
    call("a", 60_000),
    call("b", 60_000),
    call("endless", 300),
    call("c", 60_000),
  ]);
  expect([a, b, c].map(({ outcome, emits }) => [outcome.status, ...emits.map(({ payload }) => payload)])).toEqual([
    ["ok", '"a"'],
    ["ok", '"b"'],
    ["ok", '"c"'],
  ]);
  expect([endless.outcome.status, ...endless.emits.map(({ payload }) => payload)]).toEqual(["timeout", '"endless"']);
});

it("long calls all succeed once, however long they waited", async () => {
  const body = `const end = Date.now() + 300; this.$emit("begun"); while (Date.now() < end); this.$emit("ended")`;
  const seen = await Promise.all(
    tenSpinners.map((index) => tryComponent(sandbox, `${index}; ${runBody(body)}`, { source: `dc_long${index}` })),
  );
  expect(seen.map(({ outcome, emits }) => [outcome.status, ...emits.map(({ payload }) => payload)])).toEqual(
    tenSpinners.map(() => ["ok", '"begun"', '"ended"']),
  );
});

it("a short call of a source that spun before runs", async () => {
  const code = runBody("while (event.spin);");
  const spun = await tryComponent(sandbox, code, { source: "dc_turns", event: { spin: true }, timeoutMs: 400 });
  const short = await tryComponent(sandbox, code, { source: "dc_turns" });
  expect([spun.outcome.status, short.outcome.status]).toEqual(["timeout", "ok"]);
});

it("a source that spun before runs while calls of others wait for their requests", async () => {
  const spin = runBody("const end = Date.now() + event.ms; while (Date.now() < end);");
  await tryComponent(sandbox, spin, { source: "dc_spun", event: { ms: 400 } });
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const waiting = tryComponent(sandbox, runBody(`await fetch("https://example.test").catch(() => {})`), {
    fetch() {
      asked.resolve();
      return answered.promise;
    },
  });
  await asked.promise;
  expect((await tryComponent(sandbox, spin, { source: "dc_spun", event: { ms: 0 } })).outcome.status).toBe("ok");
  answered.reject(new Error("at last"));
  expect((await waiting).outcome.status).toBe("ok");
});

it("a source whose calls end their threads waits longer each time, and its errors say so; its neighbours run", async () => {
  // Nothing interrupts a native function.
  const native = runBody(`[].concat(Array(2e8)).join("").length`);
  const crash = (): Promise<Seen> => tryComponent(sandbox, native, { source: "dc_native", timeoutMs: 500 });
  const ends: Seen[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const [crashed, neighbour] = await Promise.all([crash(), runNeighbour(`dc_beside${turn}`, "u_other")]);
    ends.push(crashed);
    expect(neighbour).toEqual([`"dc_beside${turn}"`, "described"]);
  }
  expect(ends.map(({ outcome }) => outcome.error?.message)).toEqual(
    [250, 500, 1000].map(
      (ms) =>
        `run ran longer than 500 ms and was stopped. Its thread ended with it, so the next run of the source waits ${ms} ms.`,
    ),
  );
});
