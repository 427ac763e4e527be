import { beforeAll, describe, expect, it } from "vitest";

import { findBaseImage } from "./base-image.ts";
import { loadEngineCode, readEngineFiles } from "./engine-files.ts";
import { stack } from "./engine-internals.ts";
import { idleHost } from "./guest-machine.ts";
import { createMachineLoader, type Machine, type MachineLoader } from "./quickjs-machine.ts";
import { type BaseImage, captureImage, type Image, restoreImage } from "./image.ts";
import { guestOp, hostOp } from "../ops.ts";

const call = (event: unknown): string =>
  JSON.stringify({
    entry: "run",
    self: { props: {}, http: {}, timers: {}, db: [], auth: {} },
    db: {},
    emit: true,
    seed: [1, 2],
    event,
  });

function runAll(machine: Machine, event: unknown): string[] {
  const emits: string[] = [];
  machine.attach({
    ...idleHost,
    dispatch: (op: number, text: string) => {
      if (op === hostOp.emit) emits.push(text.slice(text.indexOf("\n") + 1));
      return undefined;
    },
  });
  machine.enter(guestOp.call, call(event));
  while (machine.hasJobs()) machine.runJobs(64);
  return emits;
}

describe("images", () => {
  let loader: MachineLoader;
  let base: BaseImage;
  beforeAll(async () => {
    loader = await createMachineLoader(await loadEngineCode());
    const machine = await loader.create(256);
    machine.boot();
    base = { ...captureImage(machine), isStored: true };
  });

  async function imageOf(code: string): Promise<Image> {
    return captureImage(await evaluated(code), base);
  }

  async function evaluated(code: string): Promise<Machine> {
    const machine = await loader.create(256);
    restoreImage(machine, base);
    machine.attach(idleHost);
    machine.enter(guestOp.evaluate, "[1,2]", { code: `(function(module){${code}})` });
    return machine;
  }

  const echo = `let count = 0; module.exports = { run(event) { this.$emit([++count, event]) } }`;

  it("leave nothing of what was in static data and heap, wherever it was", async () => {
    const image = await imageOf(echo);
    const [expected, machine] = await Promise.all([loader.create(256), loader.create(256)]);
    restoreImage(expected, image, base);
    restoreImage(machine, image, base);
    const bytes = new Uint8Array(machine.memory.buffer);
    const end = machine.heapEnd;
    // Where the end of the heap is stays known, or nothing would be restored there.
    const words = new Uint32Array(bytes.buffer);
    const endAt = words.indexOf(end);
    bytes.fill(0xa5, 0, stack.low);
    bytes.fill(0xa5, stack.high, end);
    words[endAt] = end;
    restoreImage(machine, image, base);
    expect(Buffer.from(bytes).equals(new Uint8Array(expected.memory.buffer))).toBe(true);
  });

  it("turn any machine into a clone of the captured one, repeatedly", async () => {
    const image = await imageOf(echo);
    const machine = await loader.create(256);
    for (let round = 0; round < 3; round++) {
      restoreImage(machine, image, base);
      expect(runAll(machine, round)).toEqual([`[1,${round}]`]);
    }
  });

  it("give the same results as an evaluation of the source", async () => {
    const code = `const seen = new Map([["a", 1]]); class Shape { #x = 2; get x() { return this.#x } }
      const lazy = (() => { let n = 40; return () => ++n })(); lazy();
      module.exports = { run(event) { this.$emit([seen.get("a"), new Shape().x, lazy(), event, /a(b)/.exec("ab")[1], typeof Buffer, 2n ** 70n + ""]) } }`;
    const cloned = await loader.create(256);
    restoreImage(cloned, await imageOf(code), base);
    expect(runAll(cloned, { e: 1 })).toEqual(runAll(await evaluated(code), { e: 1 }));
  });

  it("contain only differences from a stored base image, and everything without one", async () => {
    const ownBase = { ...base, isStored: false };
    const apart = captureImage(await evaluated(echo), ownBase);
    const image = await imageOf(echo);
    expect(image.bytes.byteLength).toBeLessThan(base.bytes.byteLength / 2);
    expect(apart.bytes.byteLength).toBeGreaterThanOrEqual(base.bytes.byteLength);
    const machine = await loader.create(256);
    restoreImage(machine, apart, ownBase);
    expect(runAll(machine, "all")).toEqual(['[1,"all"]']);
  });

  it("of the build behave like a prelude evaluated now", async () => {
    const stored = findBaseImage(readEngineFiles());
    const results = [];
    for (const image of [stored ?? base, base]) {
      const machine = await loader.create(256);
      restoreImage(machine, image);
      machine.attach(idleHost);
      machine.enter(guestOp.evaluate, "[1,2]", {
        code: `(function(module){ module.exports = { run(event) { this.$emit([event, structuredClone(new Map([[1, 2]])).get(1), new Headers({ A: "b" }).get("a")]) } } })`,
      });
      results.push(runAll(machine, "same"));
    }
    expect(stored).toBeDefined();
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).toEqual(['["same",2,"b"]']);
  });

  it("contain nothing of the process that made them", () => {
    expect(Buffer.from(base.bytes).includes(process.argv[1] ?? "no program")).toBe(false);
  });

  it("leave no data of a machine's last owner", async () => {
    const secret = "owner-secret-0123456789";
    const keep = await imageOf(
      `module.exports = { run(event) { const all = []; for (let i = 0; i < 3000; i++) all.push(event + i);
        const deep = (n) => n ? deep(n - 1) + event : event; deep(200); all.length = 10; } }`,
    );
    const next = await imageOf(echo);
    const machine = await loader.create(256);
    restoreImage(machine, keep, base);
    runAll(machine, secret);
    expect(Buffer.from(machine.memory.buffer).includes(secret)).toBe(true);
    restoreImage(machine, next, base);
    expect(Buffer.from(machine.memory.buffer).includes(secret)).toBe(false);
    expect(runAll(machine, "x")).toEqual(['[1,"x"]']);
  });
});
