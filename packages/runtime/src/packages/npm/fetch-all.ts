import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join, sep } from "node:path";

import pacote from "pacote";
import { extract, type ReadEntry } from "tar";

import type { LockedPackage, PackageLock } from "../../model/package-lock.ts";
import { installedOf, nameOf } from "../../model/package-lock.ts";
import type { InstallQuestion, NoteProgress } from "../messages.ts";
import type { NpmOptions } from "./npm-options.ts";
import { PackageProblem } from "./problem.ts";

const atOnce = 8;
/** Of a package, what a bundle can be made of, and what tells that it is native. */
const kept = /(?:\.(?:[cm]?js|json|node|wasm)|(?:^|\/)[^./]+|binding\.gyp)$/i;

interface Fetching {
  readonly question: InstallQuestion;
  readonly options: NpmOptions;
  readonly noted: NoteProgress;
}

/** Fetches every package of the lock into `folder`, from the cache where it is there, and checks its integrity. */
export async function fetchAll(
  lock: PackageLock,
  folder: string,
  { question, options, noted }: Fetching,
): Promise<void> {
  const waiting = installedOf(lock).filter(([, { inBundle }]) => inBundle !== true);
  const total = waiting.length;
  const budget = { archive: question.limits.archiveBytes, unpacked: question.limits.unpackedBytes };
  let done = 0;
  noted({ phase: "fetching", done, total });

  const fetchOne = async ([place, locked]: readonly [string, LockedPackage]): Promise<void> => {
    const name = nameOf(place, locked);
    const { resolved, integrity } = locked;
    const target = join(folder, place);
    // A name is checked by the registry's rules, but a lock is data.
    if (!target.startsWith(join(folder, "node_modules") + sep))
      throw new PackageProblem("refused", name, [], `"${place}" is no folder for a package`);
    const tooLarge = (what: string, limit: number): PackageProblem =>
      new PackageProblem(
        "too_large",
        `${name}@${locked.version}`,
        chainOf(lock, place, question),
        `${what} ${limit} bytes`,
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
            filter: (path, entry) => {
              // Inside an archive, an entry is a header with its size.
              const { type, size } = entry as ReadEntry;
              if (type === "Directory") return false;
              if (type !== "File" && type !== "OldFile" && type !== "ContiguousFile") return false;
              if (!kept.test(path)) return false;
              budget.unpacked -= size;
              if (budget.unpacked < 0)
                throw tooLarge("the files of the packages are larger than", question.limits.unpackedBytes);
              return true;
            },
          });
          const unpacked = once(unpack, "close");
          // Whoever reads the stream hears of its errors; this one is only waited for when all went well.
          unpacked.catch(() => undefined);
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
      throw Object.assign(error, { pkgid: `${name}@${locked.version}`, requiredBy: parentOf(lock, place) });
    }
    done += 1;
    noted({ phase: "fetching", done, total });
  };

  const queue = waiting.values();
  const lane = async (): Promise<void> => {
    for (const each of queue) await fetchOne(each);
  };
  const lanes = Array.from({ length: atOnce }, lane);
  try {
    await Promise.all(lanes);
  } finally {
    // Nothing still writes into a folder that is thrown away.
    for (const _ of queue);
    await Promise.allSettled(lanes);
  }
}

/** The folder of a package that depends on the one in `place`; undefined for the component itself. */
function parentOf({ packages, requests }: PackageLock, place: string): string | undefined {
  if (Object.values(requests).includes(place)) return undefined;
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  return Object.entries(packages).find(([, { dependencies }]) =>
    Object.hasOwn((dependencies as object) ?? {}, name),
  )?.[0];
}

/** Who asks for the package in that folder: a file of the component, then packages. */
export function chainOf(lock: PackageLock, place: string, { roots }: InstallQuestion): string[] {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let at = parentOf(lock, place); at !== undefined && !seen.has(at); at = parentOf(lock, at)) {
    seen.add(at);
    names.unshift(at.slice(at.lastIndexOf("node_modules/") + "node_modules/".length));
  }
  return [Object.values(roots)[0]?.importer ?? "component", ...names];
}
