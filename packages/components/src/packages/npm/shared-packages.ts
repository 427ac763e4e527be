import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative } from "node:path";

import { sha256Hex, systemClock, type LockedPackage } from "@x/model";
import type { PackageBudget } from "./unpack.ts";

/** File in the folder of a shared package with its content; written last. */
const contentFile = "content.json";

/** A shared package: its archive's bytes, and its files with their bytes, by path below `package`. */
interface SharedContent {
  /** Compressed. */
  readonly archiveBytes: number;
  readonly files: readonly (readonly [path: string, bytes: number])[];
}

/** What unpacks a package into a folder; resolves with the bytes of its archive. */
type Unpack = (folder: string) => Promise<number>;

/**
 * The id under which trees share a package: equal for equal archives. Undefined for a package without an integrity that only
 * one archive can have.
 */
export const sharedId = ({ integrity = "" }: LockedPackage): string | undefined =>
  /(?:^|\s)sha512-/.test(integrity) ? sha256Hex(integrity) : undefined;

async function contentOf(folder: string, archiveBytes: number): Promise<SharedContent> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sized = files.map(async (file) => [relative(folder, file), (await stat(file)).size] as const);
  return { archiveBytes, files: await Promise.all(sized) };
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

/** Links a file. A file system may have no links, and a file may have too many: then it is copied. */
async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") await copyFile(from, to);
  }
}

/** Unpacked packages in `folder`, each once on the disk, whose files are linked into the trees that need them. */
export interface SharedPackages {
  /** Puts a package into `target`, after unpacking it when it is new. */
  put(id: string, target: string, unpack: Unpack, budget: PackageBudget): Promise<void>;
}

export function createSharedPackages(folder: string, staging: string): SharedPackages {
  async function contentOfShared(id: string): Promise<SharedContent | undefined> {
    try {
      return JSON.parse(await readFile(join(folder, id, contentFile), "utf8")) as SharedContent;
    } catch {
      return undefined;
    }
  }

  /** False when files are missing: the package is being evicted, or a power failure cut files off. */
  async function linkFiles({ files }: SharedContent, shared: string, target: string): Promise<boolean> {
    const folders = new Set(files.map(([path]) => dirname(join(target, path))));
    for (const each of folders) await mkdir(each, { recursive: true });
    for (const [path, bytes] of files) {
      const file = join(shared, "package", path);
      const state = await stat(file).catch(() => undefined);
      if (state?.size !== bytes) return false;
      await linkFile(file, join(target, path));
    }
    return true;
  }

  /** Resolves with undefined when the package is not there, or not whole. */
  async function linkInto(id: string, target: string): Promise<SharedContent | undefined> {
    const shared = join(folder, id);
    const content = await contentOfShared(id);
    if (!content) return undefined;
    const now = systemClock.now() / 1000;
    await utimes(shared, now, now).catch(() => undefined);
    return (await linkFiles(content, shared, target)) ? content : undefined;
  }

  async function add(id: string, unpack: Unpack): Promise<void> {
    await mkdir(staging, { recursive: true });
    const draft = await mkdtemp(join(staging, "package-"));
    const unpacked = join(draft, "package");
    const content = await contentOf(unpacked, await unpack(unpacked));
    await writeFile(join(draft, contentFile), JSON.stringify(content));
    await mkdir(folder, { recursive: true });
    // Another process may have added the same package first.
    await rename(draft, join(folder, id)).catch((error: unknown) => {
      if (!["EEXIST", "ENOTEMPTY", "EPERM"].includes(codeOf(error))) throw error;
    });
  }

  return {
    async put(id, target, unpack, budget) {
      const content = await linkInto(id, target);
      if (content) {
        budget.takeArchive(content.archiveBytes);
        for (const [, bytes] of content.files) budget.takeFile(bytes);
        return;
      }
      await add(id, unpack);
      if (await linkInto(id, target)) return;
      // The one that is there is not whole: the next tree unpacks it anew.
      await rm(join(folder, id), { recursive: true, force: true });
      await unpack(target);
    },
  };
}
