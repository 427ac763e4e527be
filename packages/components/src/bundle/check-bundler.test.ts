import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test, vi } from "vitest";

import type { BundleChild } from "./bundle-child.ts";
import { createBuilder } from "./bundler.ts";

const folder = mkdtempSync(join(tmpdir(), "x-bundler-"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const limits = { timeoutMs: 10_000, memoryBytes: 1e9, codeBytes: 1e6 };

/** A bundling process as it ends when it cannot start esbuild. */
const ends = (end: { readonly kind: "died" } | { readonly kind: "broken"; readonly message: string }): BundleChild => ({
  alive: false,
  findMemory: () => undefined,
  ask: async () => end,
  kill: async () => undefined,
});

/** What a build rejects with while esbuild is a program of these lines. */
async function withEsbuild(lines: string, build: () => Promise<unknown>): Promise<Error> {
  const binary = join(folder, "esbuild");
  writeFileSync(binary, `#!/bin/sh\n${lines}\n`);
  chmodSync(binary, 0o755);
  vi.stubEnv("ESBUILD_BINARY_PATH", binary);
  try {
    return (await build().catch((thrown: unknown) => thrown)) as Error;
  } finally {
    vi.unstubAllEnvs();
  }
}

test.each([
  ["exit 1", /^The service was stopped/],
  ["kill -9 $PPID", /^its process was ended by SIGKILL$/],
])("a real bundling process whose esbuild does %j says why", async (lines, reason) => {
  const builder = createBuilder(limits);
  try {
    const error = await withEsbuild(lines, () => builder.build({ code: "export default {}" }));
    expect(error).toMatchObject({ code: "bundler_unavailable" });
    const [, said = ""] = /^The bundler does not run on this machine: (.*)\.$/.exec(error.message) ?? [];
    expect(said).toMatch(reason);
  } finally {
    await builder.close();
  }
});

test("where no process may be started, a build says what the system says", async () => {
  const builder = createBuilder(limits, () => {
    throw new Error("Access to this API has been restricted");
  });
  builder.warm();
  const build = (): Promise<unknown> => builder.build({ code: "export default {}" });
  expect(await withEsbuild("kill -9 $PPID", build)).toMatchObject({ code: "bundler_unavailable" });
  await builder.close();
});

test.each(["died", "broken"] as const)(
  "a build that %s is the machine's fault only when esbuild does not run",
  async (kind) => {
    const builder = createBuilder(limits, () => ends({ kind, message: "no binary" }));
    const build = (): Promise<unknown> => builder.build({ code: "export default {}" });
    await expect(build()).rejects.toMatchObject({ code: kind === "died" ? "bundle_failed" : "internal" });
    const error = await withEsbuild("exit 1", build);
    expect(error).toMatchObject({ code: "bundler_unavailable" });
    expect(error.message).toMatch(/^The bundler does not run on this machine: \S/);
    expect(error.message).not.toContain(folder);
  },
);
