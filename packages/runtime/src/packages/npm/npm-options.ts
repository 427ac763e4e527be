import Config from "@npmcli/config";
import definitions from "@npmcli/config/lib/definitions/index.js";

import type { InstallQuestion } from "../messages.ts";

/** The registry that npm asks where none is configured. */
export const publicRegistry: string = definitions.definitions.registry.default;

export type NpmOptions = { readonly [option: string]: unknown };

/**
 * The user's npm configuration (environment, npmrc files: registries, scopes, tokens, proxies), with what must not be
 * configured here: nothing but registries is asked, nothing is run.
 */
export async function readNpmOptions({ cacheFolder, registry, limits }: InstallQuestion): Promise<NpmOptions> {
  const config = new Config({
    // There is no npm beside this: its built-in npmrc is not there either.
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
    // Waits of npm's own would outlast the whole time.
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
