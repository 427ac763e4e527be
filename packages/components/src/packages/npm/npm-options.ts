import Config from "@npmcli/config";
import definitions from "@npmcli/config/lib/definitions/index.js";

import type { InstallQuestion } from "../messages.ts";

/** The default registry of npm. */
export const publicRegistry: string = definitions.definitions.registry.default;

export type NpmOptions = { readonly [option: string]: unknown };

/**
 * The user's npm configuration (environment and npmrc files: registries, scopes, tokens, proxies). Overrides options so
 * that packages come only from registries and no script runs.
 */
export async function readNpmOptions({ cacheFolder, registry, limits }: InstallQuestion): Promise<NpmOptions> {
  const config = new Config({
    // No npm is installed here, and so no built-in npmrc.
    npmPath: cacheFolder,
    ...definitions,
    argv: ["node", "npm"],
    cwd: process.cwd(),
    env: process.env,
    warn: false,
  });
  await config.load();
  return {
    ...config.flat,
    ...(registry !== undefined && { registry }),
    cache: `${cacheFolder}/_cacache`,
    timeout: limits.requestTimeoutMs,
    // The default waits of npm are longer than the timeout of an installation.
    retry: { retries: 1, factor: 1, minTimeout: 200, maxTimeout: 200 },
    ignoreScripts: true,
    ignoreExtension: true,
    allowGit: "none",
    allowRemote: "none",
    allowFile: "none",
    allowDirectory: "none",
    audit: false,
    fund: false,
    global: false,
    packageLock: true,
    omitLockfileRegistryResolved: false,
    installStrategy: "hoisted",
    engineStrict: false,
    dryRun: false,
    force: false,
  };
}
