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

test.each(["died", "broken"] as const)(
  "a build that %s is the machine's fault only when esbuild does not run",
  async (kind) => {
    const builder = createBuilder(limits, () => ends({ kind, message: "no binary" }));
    const build = (): Promise<unknown> => builder.build({ code: "export default {}" });
    await expect(build()).rejects.toMatchObject({ code: kind === "died" ? "bundle_failed" : "internal" });
    const binary = join(folder, "esbuild");
    writeFileSync(binary, "#!/bin/sh\nexit 1\n");
    chmodSync(binary, 0o755);
    vi.stubEnv("ESBUILD_BINARY_PATH", binary);
    const error = (await build().catch((thrown: unknown) => thrown)) as Error;
    vi.unstubAllEnvs();
    expect(error).toMatchObject({ code: "bundler_unavailable" });
    expect(error.message).toMatch(/^The bundler does not run on this machine: \S/);
    expect(error.message).not.toContain(folder);
  },
);
