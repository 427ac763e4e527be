import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join, sep } from "node:path";

import pacote from "pacote";
import { extract, type ReadEntry } from "tar";

import { installedOf, nameOf, type LockedPackage, type PackageLock } from "@x/model";
import type { InstallQuestion, OnProgress } from "../messages.ts";
import type { NpmOptions } from "./npm-options.ts";
import { PackageProblem } from "./problem.ts";

const concurrency = 8;
/** Files to unpack: those that can be bundled, and those that show that a package is native. */
const unpackedFiles = /(?:\.(?:[cm]?js|json|node|wasm)|(?:^|\/)[^./]+|binding\.gyp)$/i;

/** Files of all packages together: a folder with more takes the host long to remove. */
const mostFiles = 100_000;

interface Fetching {
  readonly question: InstallQuestion;
  readonly options: NpmOptions;
  readonly onProgress: OnProgress;
}

/** Fetches every package of the lock into `folder`, from the cache if possible, and checks its integrity. */
export async function fetchAll(
  lock: PackageLock,
  folder: string,
  { question, options, onProgress }: Fetching,
): Promise<void> {
  const waiting = installedOf(lock).filter(([, { inBundle }]) => inBundle !== true);
  const total = waiting.length;
  const budget = { archive: question.limits.archiveBytes, unpacked: question.limits.unpackedBytes, files: mostFiles };
  let done = 0;
  onProgress({ phase: "fetching", done, total });

  const fetchOne = async ([path, locked]: readonly [string, LockedPackage]): Promise<void> => {
    const name = nameOf(path, locked);
    const { resolved, integrity } = locked;
    const target = join(folder, path);
    // The names in a lock are not trusted.
    if (!target.startsWith(join(folder, "node_modules") + sep))
      throw new PackageProblem("refused", name, [], `"${path}" is not a folder for a package`);
    const tooLarge = (what: string, limit: number, unit = "bytes"): PackageProblem =>
      new PackageProblem(
        "too_large",
        `${name}@${locked.version}`,
        chainOf(lock, path, question),
        `${what} ${limit} ${unit}`,
      );
    await mkdir(target, { recursive: true });
    try {
      await pacote.tarball.stream(
        `${name}@${locked.version}`,
        async (stream) => {
          const unpack = extract({
            cwd: target,
            strip: 1,
            noMtime: true,
            preserveOwner: false,
            fmode: 0o644,
            dmode: 0o755,
            maxDecompressionRatio: 200,
            filter: (name, entry) => {
              // In an archive, `entry` is always a `ReadEntry`.
              const { type, size } = entry as ReadEntry;
              if (type === "Directory") return false;
              if (type !== "File" && type !== "OldFile" && type !== "ContiguousFile") return false;
              if (!unpackedFiles.test(name)) return false;
              budget.files -= 1;
              if (budget.files < 0) throw tooLarge("the packages have more than", mostFiles, "files");
              budget.unpacked -= size;
              if (budget.unpacked < 0)
                throw tooLarge("the files of the packages are larger than", question.limits.unpackedBytes);
              return true;
            },
          });
          const unpacked = once(unpack, "close");
          // A stream error rejects the loop below; `unpacked` is awaited only after it. More errors may follow.
          unpacked.catch(() => undefined);
          unpack.on("error", () => undefined);
          for await (const chunk of stream as AsyncIterable<Buffer>) {
            budget.archive -= chunk.length;
            if (budget.archive < 0)
              throw tooLarge("the archives of the packages are larger than", question.limits.archiveBytes);
            if (!unpack.write(chunk)) await Promise.race([once(unpack, "drain"), unpacked]);
          }
          unpack.end();
          await unpacked;
        },
        { ...options, ...(resolved !== undefined && { resolved }), ...(integrity !== undefined && { integrity }) },
      );
    } catch (error) {
      if (error instanceof PackageProblem || !(error instanceof Error)) throw error;
      throw Object.assign(error, { pkgid: `${name}@${locked.version}`, requiredBy: parentOf(lock, path) });
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
