import { afterAll, beforeAll, expect, test } from "vitest";

import { findBaseImage } from "../machine/base-image.ts";
import type { Sandbox } from "../contract.ts";
import { loadEngineCode, readEngineFiles } from "../machine/engine-files.ts";
import { createMachineLoader, initialPages } from "../machine/quickjs-machine.ts";
import { evaluate } from "../thread/evaluation.ts";
import { createHeartbeat, heartbeatBytes } from "../thread/heartbeat.ts";
import { captureImage } from "../machine/image.ts";
import { partsFor } from "../thread/preload.ts";
import { openSandbox, runBody, tryComponent } from "../sandbox.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

/** The source of a function in this code: the engine stores it as long as the function exists. */
function functionOf(code: string): string {
  const found = /\{[^{}]{60,}\}/.exec(code.slice(code.length / 3))?.[0].slice(1, 50) ?? "";
  expect(found).toHaveLength(49);
  return found;
}

test("the base image contains no part", () => {
  const files = readEngineFiles();
  const image = Buffer.from(findBaseImage(files)?.bytes ?? new ArrayBuffer(0));
  // The prelude's functions have no text, but its own texts are there.
  expect(image.includes(/"([a-z]+ [a-z ]{16,60})"/i.exec(files.prelude.join(""))?.[1] ?? "nothing to find")).toBe(true);
  const evaluated = Object.entries(files.parts).filter(([, code]) => image.includes(functionOf(code)));
  expect(evaluated.map(([name]) => name)).toEqual([]);
});

test("objects of a part that a module used are the same in all its runs", async () => {
  const code = `
    const { ReadableStream: Early } = globalThis;
    const made = new Early();
    module.exports = { name: "t", version: "1", run() {
      this.$emit([Early === ReadableStream, made instanceof ReadableStream, new Response("x").body instanceof Early]);
    } };`;
  for (const _ of ["first", "second"]) {
    const { emits, outcome } = await tryComponent(sandbox, code, { source: "dc_parts" });
    expect(outcome.error).toBeUndefined();
    expect(JSON.parse(emits[0]?.payload ?? "null")).toEqual([true, true, true]);
  }
});

test("the image of a bundle contains the parts that it will use, and no others", async () => {
  const { parts } = readEngineFiles();
  const machine = await (await createMachineLoader(await loadEngineCode())).create(initialPages);
  machine.boot();
  const code = runBody(`this.$emit([Buffer.from("é").toString("hex"), typeof Atomics]);`);
  const order = { callId: 1, code, timeoutMs: 5_000, describe: true };
  expect(evaluate(machine, createHeartbeat(new SharedArrayBuffer(heartbeatBytes)), order)).toMatchObject({
    error: undefined,
    repeatable: true,
  });
  const image = Buffer.from(captureImage(machine).bytes);
  expect(image.includes(functionOf(parts["buffer"] ?? ""))).toBe(true);
  expect(image.includes(functionOf(parts["rare"] ?? ""))).toBe(false);

  expect(partsFor("1 + 1")).toEqual([]);
  expect(partsFor("a.localeCompare(b)")).toEqual(["intl"]);
  expect(partsFor("typeof FormData; new ReadableStream()")).toEqual(["forms", "streams"]);
});

test("a run that only calls Intl ends at its deadline", async () => {
  const { outcome } = await tryComponent(sandbox, runBody(`for (;;) new Intl.NumberFormat("en").format(1)`), {
    timeoutMs: 500,
  });
  expect(outcome.status).toBe("timeout");
});

test("a global of a part can be replaced before the part is evaluated", async () => {
  const { emits } = await tryComponent(
    sandbox,
    runBody(
      `globalThis.FormData = 5; delete globalThis.File; this.$emit([FormData, typeof File, "File" in globalThis])`,
    ),
  );
  expect(JSON.parse(emits[0]?.payload ?? "null")).toEqual([5, "undefined", false]);
});

test("Intl refuses unknown arguments with the language's errors", async () => {
  const { emits, outcome } = await tryComponent(
    sandbox,
    runBody(`
      const wrong = [() => new Intl.NumberFormat("en").format.call(null, {}), () => Intl.supportedValuesOf("__proto__"), () => new Intl.DisplayNames("en", { type: "constructor" })];
      this.$emit(wrong.map((run) => { try { return run() } catch (error) { return error.name } }))`),
  );
  expect(outcome.error).toBeUndefined();
  expect(JSON.parse(emits[0]?.payload ?? "null")).toEqual(["NaN", "RangeError", "RangeError"]);
});
