import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

import { sha256Hex } from "../process/sha256.ts";
import { isCandidate, isCode, isSkippedFolder, stem } from "./names.ts";
import { mostPublishedBytes, publishedFile, readPublished } from "./published.ts";
import { readRegular } from "../process/read-regular.ts";
import { type RegistryProblem, registryProblem } from "./problem.ts";

/** A file that may be a component. */
export interface Candidate {
  /** Stays the same when a published component is replaced. */
  readonly id: string;
  /** Path to show, relative to the registry. */
  readonly shown: string;
  readonly file: string;
  /** Imports stay inside. */
  readonly root: string;
  /** The key it was published under. */
  readonly publishedKey?: string;
}

/** What a folder holds at one moment. */
export interface Listing {
  /** Sorted by id. */
  readonly candidates: readonly Candidate[];
  /** By absolute path: changes when the file does. */
  readonly stamps: ReadonlyMap<string, string>;
  /** Absolute paths by stem. */
  readonly stems: ReadonlyMap<string, readonly string[]>;
  readonly folders: ReadonlySet<string>;
  /** Changes when anything in it does. */
  readonly digest: string;
  /** By path to show. */
  readonly problems: ReadonlyMap<string, RegistryProblem>;
}

/** A file's stamp; one that does not exist has one too. */
export async function stampOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await stat(path);
    return [size, mtimeMs, ctimeMs, ino].join(" ");
  } catch {
    return "absent";
  }
}

const foldersAtOnce = 16;

const isBelow = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const outside: RegistryProblem = {
  code: "outside_registry",
  message: "the link leads out of the registry's folder",
};

/**
 * Lists a registry's folder. Calls `entering` before a folder is read, so that whoever begins to watch it then misses
 * nothing. Rejects when the folder itself cannot be read.
 */
export async function scanFolder(folder: string, entering: (folder: string) => void): Promise<Listing> {
  const root = await realpath(folder);
  const candidates: Candidate[] = [];
  const stamps = new Map<string, string>();
  const stems = new Map<string, string[]>();
  const folders = new Set<string>();
  const problems = new Map<string, RegistryProblem>();
  const seen = new Set<string>();
  const show = (path: string): string => relative(root, path).split(sep).join("/");

  async function addPublished(home: string): Promise<void> {
    const path = join(home, publishedFile);
    if (!isBelow(root, await realpath(path))) {
      problems.set(show(path), outside);
      return;
    }
    // Before it is read: what changes meanwhile is another stamp.
    stamps.set(path, await stampOf(path));
    const published = readPublished((await readRegular(path, mostPublishedBytes)).toString("utf8"));
    if ("problem" in published) {
      problems.set(show(path), { code: "invalid_published", message: published.problem });
      return;
    }
    const copy = join(home, published.folder);
    const file = join(copy, published.entry);
    const real = await realpath(copy).catch(() => undefined);
    if (real !== undefined && !isBelow(root, real)) {
      problems.set(show(path), outside);
      return;
    }
    candidates.push({ id: show(home), shown: show(file), file, root: copy, publishedKey: published.key });
    if (real !== undefined) enter(real, true);
  }

  async function addFile(path: string, name: string, isCopy: boolean): Promise<void> {
    stamps.set(path, await stampOf(path));
    const same = stem(path);
    stems.set(same, [...(stems.get(same) ?? []), path]);
    if (!isCopy && isCandidate(name)) candidates.push({ id: show(path), shown: show(path), file: path, root });
  }

  async function addLink(path: string, name: string, isCopy: boolean): Promise<void> {
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined) return;
    const isFolder = (await stat(target)).isDirectory();
    if (!isFolder && !isCode(name)) return;
    if (!isBelow(root, target)) {
      problems.set(show(path), outside);
      return;
    }
    if (isFolder) return enter(target, isCopy);
    // Where the link leads may be looked at itself; it counts once.
    if (seen.has(target)) return;
    seen.add(target);
    await addFile(path, name, isCopy);
    stamps.set(path, `${target} ${await stampOf(target)}`);
  }

  interface Folder {
    readonly path: string;
    /** Everything in a published component's copy is part of it. */
    readonly isCopy: boolean;
  }
  const unlisted: Folder[] = [];
  /** Followed last, in order: by then every file that is no link is known. */
  const links: (Folder & { readonly name: string })[] = [];

  function enter(path: string, isCopy: boolean): void {
    if (folders.has(path)) return;
    folders.add(path);
    unlisted.push({ path, isCopy });
  }

  async function list({ path, isCopy }: Folder): Promise<void> {
    entering(path);
    try {
      const entries = await readdir(path, { withFileTypes: true });
      if (!isCopy && path !== root && entries.some(({ name }) => name === publishedFile))
        return await addPublished(path);
      const files = entries.filter((entry) => entry.isFile() && isCode(entry.name));
      for (const { name } of files) seen.add(join(path, name));
      await Promise.all(files.map(({ name }) => addFile(join(path, name), name, isCopy)));
      for (const entry of entries) {
        if (isSkippedFolder(entry.name)) continue;
        if (entry.isDirectory()) enter(join(path, entry.name), isCopy);
        else if (entry.isSymbolicLink()) links.push({ path: join(path, entry.name), name: entry.name, isCopy });
      }
    } catch (error) {
      if (path === root) throw error;
      // Gone while it was read: there will be another scan.
      if (await stat(path).catch(() => undefined)) problems.set(show(path), registryProblem(error));
    }
  }

  async function listAll(): Promise<void> {
    while (unlisted.length > 0) await Promise.all(unlisted.splice(0, foldersAtOnce).map(list));
  }

  enter(root, false);
  await listAll();
  links.sort((a, b) => (a.path < b.path ? -1 : 1));
  for (let link = links.shift(); link; link = links.shift()) {
    try {
      await addLink(link.path, link.name, link.isCopy);
    } catch (error) {
      problems.set(show(link.path), registryProblem(error));
    }
    await listAll();
  }
  const byId = (a: Candidate, b: Candidate): number => (a.id < b.id ? -1 : 1);
  const digest = sha256Hex(
    [...stamps]
      .map((line) => line.join(" "))
      .sort()
      .join("\n"),
  );
  return { candidates: candidates.sort(byId), stamps, stems, folders, digest, problems };
}
