import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";

import { installedOf, lockKey, nameOf, type LockedPackage, type PackageLock } from "@x/model";
import { chainOf, fetchAll } from "./fetch-all.ts";
import type { InstallAnswer, InstallQuestion, OnProgress } from "../messages.ts";
import { type NpmOptions, publicRegistry, readNpmOptions } from "./npm-options.ts";
import { findProblem, PackageProblem } from "./problem.ts";
import { findOutdated, resolveTree } from "./resolve-tree.ts";
import { findUnusableDependency } from "./unusable-dependency.ts";

/** Resolves what the lock does not have, and installs the packages into the folder of their lock, atomically. */
export async function install(question: InstallQuestion, onProgress: OnProgress): Promise<InstallAnswer> {
  await mkdir(question.staging, { recursive: true });
  const options = await readNpmOptions(question);
  try {
    return await installWith(options, question, onProgress);
  } catch (error) {
    const roots = Object.values(question.roots);
    if (findProblem(error, roots)) throw error;
    throw (await findUnusableDependency(roots, options, question.limits.count)) ?? error;
  }
}

async function installWith(
  options: NpmOptions,
  question: InstallQuestion,
  onProgress: OnProgress,
): Promise<InstallAnswer> {
  const { cacheFolder, staging } = question;
  const { names, offline } = await findOutdated(question, options);
  const lock = await lockFor(question, names, staging, options, onProgress);
  const unverifiable = findUnverifiable(lock, options);
  if (unverifiable) {
    const { folder: unverified, package: about } = unverifiable;
    const problem =
      "its registry lists no integrity for its archive; only a registry of your npm configuration may do so";
    throw new PackageProblem("integrity", about, chainOf(lock, unverified, question), problem);
  }
  const key = lockKey(lock);
  const folder = join(cacheFolder, "trees", key);
  if (!existsSync(folder)) {
    const draft = join(staging, "tree");
    await fetchAll(lock, draft, { question, options, onProgress });
    await mkdir(join(cacheFolder, "trees"), { recursive: true });
    await rename(draft, folder).catch((error: unknown) => {
      // Another process may have installed the same content first.
      if (!existsSync(folder)) throw error;
    });
  }
  return { kind: "installed", folder, key, lock, ...(offline !== undefined && { offline }) };
}

async function lockFor(
  question: InstallQuestion,
  outdated: readonly string[],
  staging: string,
  options: NpmOptions,
  onProgress: OnProgress,
): Promise<PackageLock> {
  const { lock, roots } = question;
  const wanted = Object.keys(roots);
  const isSame = lock && outdated.length === 0 && Object.keys(lock.requests).length === wanted.length;
  if (isSame && wanted.every((specifier) => Object.hasOwn(lock.requests, specifier))) return lock;
  onProgress({ phase: "resolving", done: 0, total: 0 });
  return resolveTree(question, outdated, staging, options);
}

/** The public registry lists the integrity of every archive: a missing one was removed on the way. */
const publicHost = new URL(publicRegistry).hostname;

function registryOf(name: string, options: NpmOptions): string {
  const scope = name.startsWith("@") ? name.split("/")[0] : undefined;
  const ofScope = scope === undefined ? undefined : options[`${scope}:registry`];
  return String(ofScope ?? options["registry"]);
}

function isOfPublicRegistry(name: string, options: NpmOptions): boolean {
  const registry = registryOf(name, options);
  return !URL.canParse(registry) || new URL(registry).hostname === publicHost;
}

/** The first package without integrity that comes from the public registry. */
function findUnverifiable(
  lock: PackageLock,
  options: NpmOptions,
): { readonly folder: string; readonly package: string } | undefined {
  const isUnchecked = ([folder, each]: readonly [string, LockedPackage]): boolean =>
    each["inBundle"] !== true && !each.integrity && isOfPublicRegistry(nameOf(folder, each), options);
  const found = installedOf(lock).find(isUnchecked);
  return found && { folder: found[0], package: `${nameOf(...found)}@${found[1].version}` };
}
