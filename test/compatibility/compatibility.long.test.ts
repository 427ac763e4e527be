import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { createEngine } from "@x/runtime";
import { afterAll, expect, test } from "vitest";

import { shownCall, shownRequest } from "./compare.ts";
import { PlainNode } from "./plain-node.ts";
import { type Result, resultTable, withRows } from "./results.ts";
import { runInSandbox } from "./sandbox.ts";
import type { CallRecord, Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios/all.ts";
import { startUpstream } from "./upstream.ts";

/** `npm run compatibility` installs the packages by the lock file of this folder, and says so. */
const hasPackages = process.env["COMPATIBILITY_PACKAGES"] === "installed";
const tableFile = join(import.meta.dirname, "RESULTS.md");
const upstream = await startUpstream();
const node = new PlainNode();
const engine = await createEngine({ workers: 1, limits: { bundleTimeoutMs: 60_000, describeTimeoutMs: 30_000 } });
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await engine.close();
  await upstream[Symbol.asyncDispose]();
});

interface Behaviour {
  readonly calls: readonly object[];
  readonly requests: readonly object[];
}

/** What a run shows; `calls` is what the run gives. */
async function behaviour(scenario: Scenario, run: () => Promise<readonly CallRecord[]>): Promise<Behaviour> {
  const seen = upstream.answerWith(scenario.upstream);
  const calls = (await run()).map(shownCall);
  return { calls, requests: seen.map((request) => shownRequest(request, scenario)) };
}

const results = new Map<Scenario, Result>();

async function inSandbox(scenario: Scenario): Promise<Behaviour> {
  return behaviour(scenario, async () => {
    const { records, bundleBytes } = await runInSandbox(scenario, upstream.url, engine);
    results.set(scenario, { scenario, bundleBytes });
    return records;
  });
}

test("every scenario has its own title", () => {
  expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length);
});

const runnable = scenarios.filter(({ packages }) => hasPackages || packages.length === 0);
const named = (chosen: readonly Scenario[]) => chosen.map((scenario) => [scenario.title, scenario] as const);

test.each(named(runnable.filter(({ differs }) => differs === undefined)))(
  "behaves in the sandbox as in Node: %s",
  async (_title, scenario) => {
    const expected = await behaviour(scenario, () => node.run(scenario, upstream.url));
    expect(expected.calls.length).toBeGreaterThan(0);
    expect(await inSandbox(scenario)).toEqual(expected);
  },
);

test.each(named(runnable.filter(({ differs }) => differs !== undefined)))(
  "still behaves otherwise in the sandbox: %s",
  async (_title, scenario) => {
    const expected = await behaviour(scenario, () => node.run(scenario, upstream.url));
    expect(expected.calls.length).toBeGreaterThan(0);
    results.set(scenario, { scenario });
    const seen = await inSandbox(scenario).catch((error: unknown) => error);
    expect(seen).not.toEqual(expected);
  },
);

test("the table of results has what was seen", async () => {
  const seen = scenarios.flatMap((scenario) => results.get(scenario) ?? []);
  const before = existsSync(tableFile) ? readFileSync(tableFile, "utf8") : "";
  const table = seen.length === scenarios.length ? resultTable(seen, before) : withRows(before, seen);
  await expect(table).toMatchFileSnapshot(tableFile);
});
