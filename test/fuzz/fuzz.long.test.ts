import { readdirSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { fuzzers } from "./all.ts";
import { runCampaign } from "./campaign.ts";
import { readFound } from "./found.ts";
import type { Target } from "./fuzzer.ts";
import { describeFailure } from "./report.ts";

/** The same inputs each time; `npm run fuzz` takes others. */
const seed = 1;

describe.each(fuzzers)("$name", ({ name, about, runs, open }) => {
  let target: Target | string;
  beforeAll(async () => {
    target = await open();
    if (typeof target === "string") process.stderr.write(`skipped: fuzzer ${name}, ${target}\n`);
  });
  afterAll(() => (typeof target === "string" ? undefined : target.close()));

  test.each(readFound(name))("$file: $about", async ({ input }) => {
    if (typeof target !== "string") await target.property(input);
    expect(input).toBeDefined();
  });

  test(`${about} (${runs} inputs)`, async () => {
    if (typeof target === "string") return;
    const report = await runCampaign(target, { seed, runs });
    expect(report.failure && describeFailure(name, seed, report.failure)).toBeUndefined();
    expect(report.runs).toBe(runs);
  });
});

test("a failure is shrunk, and named with the command that repeats it", async () => {
  const { failing } = await import("./failing.cases.ts");
  const { failure } = await runCampaign(failing, { seed, runs: 1_000 });
  expect(failure?.input).toBe(100);
  const text = failure && describeFailure("failing", seed, failure);
  expect(text).toContain(`npm run fuzz -- --only failing --seed ${seed} --path `);
  const again = await runCampaign(failing, { seed, path: failure?.path ?? "" });
  expect(again.failure?.input).toBe(100);
});

test("every folder of found cases belongs to a fuzzer", () => {
  const folders = readdirSync(new URL("found", import.meta.url));
  expect(folders.filter((name) => !fuzzers.some((each) => each.name === name) && name !== "README.md")).toEqual([]);
});
