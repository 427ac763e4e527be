import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

import { readRegular, sha256Hex } from "@x/model";
import { isCandidate, isCode, isSkippedFolder, stem } from "./names.ts";
import { maxPublishedBytes, publishedFile, readPublished } from "./published.ts";
import { type RegistryProblem, registryProblem } from "./problem.ts";

/** A file that may be a component. */
export interface Candidate {
  /** Does not change when a published component is replaced. */
  readonly id: string;
  /** Path for messages, relative to the registry. */
  readonly shown: string;
  readonly file: string;
  /** Folder that its imports must stay in. */
  readonly root: string;
  /** The key it was published under. */
  readonly publishedKey?: string;
}

/** The content of a registry's folder at one instant. */
export interface Listing {
  /** Sorted by id. */
  readonly candidates: readonly Candidate[];
  /** Stamps by absolute path. A stamp changes when its file changes. */
  readonly stamps: ReadonlyMap<string, string>;
  /** Absolute paths by stem. */
  readonly stems: ReadonlyMap<string, readonly string[]>;
  readonly folders: ReadonlySet<string>;
  /** Changes when any file of the listing changes. */
  readonly digest: string;
  /** Problems by the paths that messages show. */
  readonly problems: ReadonlyMap<string, RegistryProblem>;
}

/** The stamp of a file; "absent" when it cannot be read with `stat`. */
export async function stampOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await stat(path);
    return [size, mtimeMs, ctimeMs, ino].join(" ");
  } catch {
    return "absent";
  }
}

const concurrency = 16;

const isBelow = (root: string, path: string): boolean => {
  const between = relative(root, path);
  return between !== ".." && !between.startsWith(`..${sep}`) && !isAbsolute(between);
};

const outside: RegistryProblem = {
  code: "outside_registry",
  message: "the link leads out of the registry's folder",
};

interface Folder {
  readonly path: string;
  /** The folder holds a published component; its files are not listed as components. */
  readonly isCopy: boolean;
}

interface PublishedCopy {
  readonly copy: string;
  readonly file: string;
  readonly key: string;
  /** The copy's real path; undefined while it is not there. */
  readonly real: string | undefined;
}

/** Reads the `published.json` of a folder. Calls `stamped` before it reads, so that the next scan notices a change during the read. */
async function findPublished(
  home: string,
  root: string,
  stamped: (stamp: string) => void,
): Promise<PublishedCopy | RegistryProblem> {
  const path = join(home, publishedFile);
  if (!isBelow(root, await realpath(path))) return outside;
  stamped(await stampOf(path));
  const published = readPublished((await readRegular(path, maxPublishedBytes)).toString("utf8"));
  if ("problem" in published) return { code: "invalid_published", message: published.problem };
  const copy = join(home, published.folder);
  const real = await realpath(copy).catch(() => undefined);
  if (real !== undefined && !isBelow(root, real)) return outside;
  return { copy, file: join(copy, published.entry), key: published.key, real };
}

const digestOf = (stamps: ReadonlyMap<string, string>): string =>
  sha256Hex(
    [...stamps]
      .map((line) => line.join(" "))
      .sort()
      .join("\n"),
  );

/**
 * Lists a registry's folder. Calls `entering` before it reads a folder, so that a watch that starts then misses no
 * change. Rejects when the root folder cannot be read.
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
    const found = await findPublished(home, root, (stamp) => stamps.set(path, stamp));
    if ("code" in found) {
      problems.set(show(path), found);
      return;
    }
    const { copy, file, key, real } = found;
    candidates.push({ id: show(home), shown: show(file), file, root: copy, publishedKey: key });
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
    // The target may be listed already; it is listed once.
    if (seen.has(target)) return;
    seen.add(target);
    await addFile(path, name, isCopy);
    stamps.set(path, `${target} ${await stampOf(target)}`);
  }

  const unlisted: Folder[] = [];
  /** Followed after the regular files; those that the first pass found, by their paths. */
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
      // A folder that disappears while it is read causes another scan.
      if (await stat(path).catch(() => undefined)) problems.set(show(path), registryProblem(error));
    }
  }

  async function listAll(): Promise<void> {
    while (unlisted.length > 0) await Promise.all(unlisted.splice(0, concurrency).map(list));
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
  return { candidates: candidates.sort(byId), stamps, stems, folders, digest: digestOf(stamps), problems };
}
