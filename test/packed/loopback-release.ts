import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { packAll } from "./tarballs.ts";
import { startWholeRegistry, type WholeRegistry } from "./whole-registry.ts";

const names = ["types", "client", "runtime", "testing", "inspector", "server", "postgres", "cli", "create"];

/** A registry on loopback to which the packages of the workspace have been published. */
export interface LoopbackRelease extends WholeRegistry {
  /** What the publication printed. */
  readonly printed: string;
}

/** A release without the world: packs the packages and publishes them, as a release does, to a registry on loopback. */
export async function releaseOnLoopback(root: string): Promise<LoopbackRelease> {
  const tarballs = mkdtempSync(join(tmpdir(), "x-release-"));
  const registry = await startWholeRegistry({
    dependents: names.map((name) => join(root, "packages", name)),
    tools: ["vite", "vitest", "typescript", "@types/node"],
    root,
  });
  try {
    await packAll(root, tarballs);
    const home = join(tarballs, "home");
    const { host } = new URL(registry.url);
    const npmrc = join(tarballs, ".npmrc");
    writeFileSync(npmrc, `registry=${registry.url}\n//${host}/:_authToken=token\nupdate-notifier=false\n`);
    // Provenance is made in CI alone.
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, "scripts/publish.mjs"), tarballs], {
      cwd: tarballs,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, npm_config_userconfig: npmrc },
    });
    return { ...registry, printed: stdout };
  } catch (error) {
    await registry[Symbol.asyncDispose]();
    throw error;
  } finally {
    rmSync(tarballs, { recursive: true, force: true });
  }
}
