import { mkdir, mkdtemp, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import type { PublishedComponent, PublishInput } from "./contract.ts";
import { XError, newId, readRegular, systemClock, type ComponentShape } from "@x/model";
import { folderOfKey } from "./names.ts";
import { formatPublished, maxPublishedBytes, type Published, publishedFile, readPublished } from "./published.ts";
import { scanFolder } from "./scan.ts";

/** Bundles and evaluates a file; `files` are names relative to its root, the entry first. */
export type Inspect = (input: { file: string; root: string }) => Promise<{
  readonly shape: ComponentShape;
  readonly contentHash: string;
  readonly files: readonly string[];
}>;

const shownHash = 12;
const temporary = /^\.publish-/;
const copyFolder = /^[0-9a-f]{12}-[0-9A-Za-z]{6}$/;
/** No publication takes this long: older temporary files are from a process that was killed. */
const abandonedMs = 3_600_000;

/**
 * Copies a component with the files it imports into a registry's folder: `<folder>/<key>/<hash>/…`, and then
 * `<folder>/<key>/published.json`, whose replacement is the switch. Rejects with `key_conflict`, `invalid_component` or
 * `invalid_parameter` beside the errors of bundling; then the registry is as it was.
 */
export async function publishInto(
  registry: string,
  { file, root, force = false }: PublishInput,
  inspect: Inspect,
): Promise<PublishedComponent> {
  const entry = resolve(file);
  const sourceRoot = await realpathOr(root === undefined ? dirname(await realpathOr(entry)) : resolve(root));
  const inspected = await inspect({ file: entry, root: sourceRoot });
  const { key, name } = inspected.shape;
  if (key === undefined) throw withoutKey(name);
  const folderName = folderOfKey(key);
  if (folderName === undefined) throw new XError("key_conflict", [key, "no folder can be named after it"]);

  await mkdir(resolve(registry), { recursive: true });
  const folder = await realpath(registry);
  const home = join(folder, folderName);
  const before = await publishedIn(home);
  if (!force) checkHome(home, key, before);
  const holder = await findHolder(folder, key, folderName, inspect);
  if (holder !== undefined) throw new XError("key_conflict", [key, `${join(folder, holder)} has it already`]);

  await removeAbandoned(folder, temporary);
  const draft = await mkdtemp(join(folder, ".publish-"));
  try {
    const copyName = `${inspected.contentHash.slice(0, shownHash)}-${newId("c").slice(2, 8)}`;
    const copy = join(draft, "home", copyName);
    for (const each of inspected.files) await copyFile(join(sourceRoot, each), join(copy, each));
    // Inspects the copy: it must be complete, and the files must not have changed meanwhile.
    const copied = await inspect({ file: join(copy, inspected.files[0] ?? ""), root: copy });
    if (copied.contentHash !== inspected.contentHash)
      throw new XError("bundle_failed", [name, "its files changed while they were copied; publish it again"]);
    const placed = await place({ home, before }, { draft: join(draft, "home"), copyName }, inspected, key);
    return { key, name, version: inspected.shape.version, files: inspected.files, registry: folder, ...placed };
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Refuses to replace what is not a publication of the same component. */
function checkHome(home: string, key: string, { isOccupied, published }: Before): void {
  if (!isOccupied || published?.key === key) return;
  const owner = published ? `component "${published.key}"` : "files that were not published";
  throw new XError("key_conflict", [key, `${home} has ${owner}; move them away, or publish with force`]);
}

/** Moves a copy to its place, unless the same is there already. */
async function place(
  { home, before }: { readonly home: string; readonly before: Before },
  { draft, copyName }: { readonly draft: string; readonly copyName: string },
  { shape: { name, version }, files }: Awaited<ReturnType<Inspect>>,
  key: string,
): Promise<Pick<PublishedComponent, "file" | "change">> {
  const [entry = ""] = files;
  const { folder: previous, entry: previousEntry, previous: unused } = before.published ?? {};
  const current = previous === undefined ? undefined : join(home, previous);
  const isKnown = before.published?.key === key && previousEntry === entry;
  if (current && isKnown && (await isSame(current, join(draft, copyName), files)))
    return { file: join(current, entry), change: "unchanged" };

  const published: Published = { key, name, version, folder: copyName, entry, ...(previous && { previous }) };
  await writeFile(join(draft, publishedFile), formatPublished(published), { flush: true });
  if (before.isOccupied || !(await moveAll(draft, home))) await moveInto(home, draft, copyName);
  // The publication is complete; cleanup may fail.
  if (unused !== undefined) await rm(join(home, unused), { recursive: true }).catch(() => undefined);
  await removeAbandoned(home, copyFolder, new Set([copyName, previous])).catch(() => undefined);
  return { file: join(home, copyName, entry), change: before.published ? "updated" : "new" };
}

/** Moves the whole folder of a new component; false when the folder has been created meanwhile. */
const moveAll = (draft: string, home: string): Promise<boolean> =>
  rename(draft, home).then(
    () => true,
    (error: unknown) => {
      if (
        error instanceof Error &&
        "code" in error &&
        ["ENOTEMPTY", "EEXIST", "ENOTDIR", "EPERM"].includes(String(error.code))
      )
        return false;
      throw error;
    },
  );

/** Moves the copy, then `published.json`, which makes it current. */
async function moveInto(home: string, draft: string, copyName: string): Promise<void> {
  await mkdir(home, { recursive: true });
  await rename(join(draft, copyName), join(home, copyName));
  await rename(join(draft, publishedFile), join(home, publishedFile));
}

const realpathOr = (path: string): Promise<string> => realpath(path).catch(() => path);

function withoutKey(name: string): XError<"invalid_component"> {
  const message = "key is missing; the registry lists components by their keys";
  return new XError("invalid_component", [name, message], { details: { errors: [{ path: "/key", message }] } });
}

/** What a component's folder in the registry holds. */
interface Before {
  readonly isOccupied: boolean;
  readonly published: Published | undefined;
}

async function publishedIn(home: string): Promise<Before> {
  const names = await readdir(home).catch((): string[] => []);
  if (!names.includes(publishedFile)) return { isOccupied: names.length > 0, published: undefined };
  const published = readPublished((await readRegular(join(home, publishedFile), maxPublishedBytes)).toString("utf8"));
  return { isOccupied: true, published: "problem" in published ? undefined : published };
}

/** The path of another component in the registry with this key. Evaluates only files that contain the key. */
async function findHolder(folder: string, key: string, own: string, inspect: Inspect): Promise<string | undefined> {
  const { candidates } = await scanFolder(folder, () => undefined);
  for (const { id, shown, file, root, publishedKey } of candidates) {
    if (id === own || id.startsWith(`${own}/`)) continue;
    if (publishedKey !== undefined) {
      if (publishedKey === key) return shown;
      continue;
    }
    if (!(await readRegular(file).catch(() => Buffer.alloc(0))).includes(key)) continue;
    const shape = await inspect({ file, root }).then(
      (inspected) => inspected.shape,
      () => undefined,
    );
    if (shape?.key === key) return shown;
  }
  return undefined;
}

/** Removes temporary files of killed processes, and copies that lost a race. */
async function removeAbandoned(
  folder: string,
  temporary: RegExp,
  needed: ReadonlySet<unknown> = new Set(),
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!temporary.test(name) || needed.has(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.NaN }));
    if (systemClock.now() - mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
  }
}

async function copyFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, await readRegular(from), { flush: true });
}

/** True when the folder has exactly these files, and they are the same in both. */
async function isSame(folder: string, other: string, files: readonly string[]): Promise<boolean> {
  try {
    for (const each of files) {
      if ((await stat(join(folder, each))).size !== (await stat(join(other, each))).size) return false;
      if (!(await readRegular(join(folder, each))).equals(await readRegular(join(other, each)))) return false;
    }
    return true;
  } catch {
    return false;
  }
}
