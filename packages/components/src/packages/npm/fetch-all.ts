import { mkdir, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";

import { installedOf, nameOf, type LockedPackage, type PackageLock } from "@x/model";
import { sharedIdsFile } from "../cache/shared-ids.ts";
import type { InstallQuestion, OnProgress } from "../messages.ts";
import type { NpmOptions } from "./npm-options.ts";
import { PackageProblem } from "./problem.ts";
import { createSharedPackages, sharedId } from "./shared-packages.ts";
import { type PackageBudget, unpackPackage } from "./unpack.ts";

const concurrency = 8;

/** Files of all packages together: a folder with more takes the host long to remove. */
const maxFiles = 100_000;

interface Fetching {
  readonly question: InstallQuestion;
  readonly options: NpmOptions;
  readonly onProgress: OnProgress;
}

/** What is left for the packages of a component. */
function createBudget({ limits }: InstallQuestion) {
  let [archives, unpacked, files] = [limits.archiveBytes, limits.unpackedBytes, maxFiles];
  return (tooLarge: (what: string) => PackageProblem): PackageBudget => ({
    takeArchive(bytes) {
      archives -= bytes;
      if (archives < 0) throw tooLarge(`the archives of the packages are larger than ${limits.archiveBytes} bytes`);
    },
    takeFile(bytes) {
      files -= 1;
      if (files < 0) throw tooLarge(`the packages have more than ${maxFiles} files`);
      unpacked -= bytes;
      if (unpacked < 0) throw tooLarge(`the files of the packages are larger than ${limits.unpackedBytes} bytes`);
    },
  });
}

/** Puts every package of the lock into `folder`: from the shared packages, the cached archives, or the registry. */
export async function fetchAll(
  lock: PackageLock,
  folder: string,
  { question, options, onProgress }: Fetching,
): Promise<void> {
  const waiting = installedOf(lock).filter(([, { inBundle }]) => inBundle !== true);
  const total = waiting.length;
  const budgetFor = createBudget(question);
  const shared = createSharedPackages(join(question.cacheFolder, "unpacked"), question.staging);
  const sharedIds = new Set<string>();
  let done = 0;
  onProgress({ phase: "fetching", done, total });

  const fetchOne = async ([path, locked]: readonly [string, LockedPackage]): Promise<void> => {
    const name = nameOf(path, locked);
    const target = join(folder, path);
    // The names in a lock are not trusted.
    if (!target.startsWith(join(folder, "node_modules") + sep))
      throw new PackageProblem("refused", name, [], `"${path}" is not a folder for a package`);
    const about = `${name}@${locked.version}`;
    const budget = budgetFor((what) => new PackageProblem("too_large", about, chainOf(lock, path, question), what));
    const unpack = (into: string): Promise<number> => unpackPackage(name, locked, { folder: into, options, budget });
    const id = sharedId(locked);
    if (id !== undefined) sharedIds.add(id);
    try {
      await (id === undefined ? unpack(target) : shared.put(id, target, unpack, budget));
    } catch (error) {
      if (error instanceof PackageProblem || !(error instanceof Error)) throw error;
      throw Object.assign(error, { pkgid: about, requiredBy: parentOf(lock, path) });
    }
    done += 1;
    onProgress({ phase: "fetching", done, total });
  };

  const queue = waiting.values();
  const lane = async (): Promise<void> => {
    for (const each of queue) await fetchOne(each);
  };
  const lanes = Array.from({ length: concurrency }, lane);
  try {
    await Promise.all(lanes);
  } finally {
    // Waits for the other lanes, because the caller removes the folder after a failure.
    for (const _ of queue);
    await Promise.allSettled(lanes);
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, sharedIdsFile), JSON.stringify([...sharedIds]));
}

/** The folder of a package that depends on the one in `folder`; undefined for a direct dependency. */
function parentOf({ packages, requests }: PackageLock, folder: string): string | undefined {
  if (Object.values(requests).includes(folder)) return undefined;
  const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
  return Object.entries(packages).find(([, { dependencies }]) =>
    Object.hasOwn((dependencies as object) ?? {}, name),
  )?.[0];
}

/** The importers of the package in `folder`: a file of the component, then packages. */
export function chainOf(lock: PackageLock, folder: string, { roots }: InstallQuestion): string[] {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let at = parentOf(lock, folder); at !== undefined && !seen.has(at); at = parentOf(lock, at)) {
    seen.add(at);
    names.unshift(at.slice(at.lastIndexOf("node_modules/") + "node_modules/".length));
  }
  return [Object.values(roots)[0]?.importer ?? "component", ...names];
}
