import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";

import { installedOf, type LockedPackage, lockKey, nameOf, type PackageLock } from "../../model/package-lock.ts";
import { chainOf, fetchAll } from "./fetch-all.ts";
import type { InstallAnswer, InstallQuestion, NoteProgress } from "../messages.ts";
import { type NpmOptions, publicRegistry, readNpmOptions } from "./npm-options.ts";
import { findProblem, PackageProblem } from "./problem.ts";
import { findSuperseded, resolveTree } from "./resolve-tree.ts";
import { findUnusableDependency } from "./unusable-dependency.ts";

/** Resolves what the lock does not answer, and puts the packages into the folder of their lock, whole or not at all. */
export async function install(question: InstallQuestion, noted: NoteProgress): Promise<InstallAnswer> {
  await mkdir(question.staging, { recursive: true });
  const options = await readNpmOptions(question);
  try {
    return await installWith(options, question, noted);
  } catch (error) {
    const roots = Object.values(question.roots);
    if (findProblem(error, roots)) throw error;
    throw (await findUnusableDependency(roots, options, question.limits.count)) ?? error;
  }
}

async function installWith(
  options: NpmOptions,
  question: InstallQuestion,
  noted: NoteProgress,
): Promise<InstallAnswer> {
  const { cacheFolder, staging } = question;
  const { names, offline } = await findSuperseded(question, options);
  const lock = await lockFor(question, names, staging, options, noted);
  const unverifiable = findUnverifiable(lock, options);
  if (unverifiable) {
    const { place, package: about } = unverifiable;
    const problem =
      "its registry lists no integrity for its archive; only a registry of your npm configuration may do so";
    throw new PackageProblem("integrity", about, chainOf(lock, place, question), problem);
  }
  const key = lockKey(lock);
  const folder = join(cacheFolder, "trees", key);
  if (!existsSync(folder)) {
    const draft = join(staging, "tree");
    await fetchAll(lock, draft, { question, options, noted });
    await mkdir(join(cacheFolder, "trees"), { recursive: true });
    await rename(draft, folder).catch((error: unknown) => {
      // Another process may have been first: its folder has the same content.
      if (!existsSync(folder)) throw error;
    });
  }
  return { kind: "installed", folder, key, lock, ...(offline !== undefined && { offline }) };
}

async function lockFor(
  question: InstallQuestion,
  superseded: readonly string[],
  staging: string,
  options: NpmOptions,
  noted: NoteProgress,
): Promise<PackageLock> {
  const { lock, roots } = question;
  const wanted = Object.keys(roots);
  const isSame = lock && superseded.length === 0 && Object.keys(lock.requests).length === wanted.length;
  if (isSame && wanted.every((specifier) => Object.hasOwn(lock.requests, specifier))) return lock;
  noted({ phase: "resolving", done: 0, total: 0 });
  return resolveTree(question, superseded, staging, options);
}

/** It lists the integrity of everything: without one, somebody on the way has taken it off. */
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

/** The first package whose archive cannot be checked, though its registry is none that the user has configured instead of the public one. */
function findUnverifiable(
  lock: PackageLock,
  options: NpmOptions,
): { readonly place: string; readonly package: string } | undefined {
  const isUnchecked = ([place, each]: readonly [string, LockedPackage]): boolean =>
    each["inBundle"] !== true && !each.integrity && isOfPublicRegistry(nameOf(place, each), options);
  const found = installedOf(lock).find(isUnchecked);
  return found && { place: found[0], package: `${nameOf(...found)}@${found[1].version}` };
}
