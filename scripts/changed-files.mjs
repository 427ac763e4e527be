import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** Replaces a file atomically: who reads it meanwhile gets the old content or the new one. */
export async function replace(file, content) {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, content);
  await rename(draft, file);
}

/** Replaces a file, unless it has this content. */
export async function writeChanged(file, content) {
  const before = await readFile(file).catch(() => undefined);
  if (!before?.equals(Buffer.from(content))) await replace(file, content);
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/** Makes `to` a copy of a folder, of the files whose paths are wanted. With `prune`, others are removed from `to`. */
export async function copyChanged(from, to, { wanted = () => true, prune = false }) {
  const paths = (await filesIn(from)).filter(wanted);
  await Promise.all(paths.map(async (path) => writeChanged(join(to, path), await readFile(join(from, path)))));
  const stale = prune ? (await filesIn(to)).filter((path) => !paths.includes(path)) : [];
  await Promise.all(stale.map((path) => rm(join(to, path))));
}
