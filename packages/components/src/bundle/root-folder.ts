import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The folders above a file, nearest first, without the root of the file system. */
function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) yield folder;
}

/** The folder of a project's build cache, inside `node_modules`; undefined without that folder. */
export function findBuildsFolder(workingFolder: string): string | undefined {
  const packages = [...foldersAbove(join(workingFolder, "_"))].map((folder) => join(folder, "node_modules"));
  const nearest = packages.find((folder) => existsSync(folder));
  return nearest === undefined ? undefined : join(nearest, ".cache/x/builds");
}

/**
 * The folder that the imports of a component's file may come from, for an author's own files: the `components` folder of
 * a tree `components/<app>/…`, else the nearest folder with a `package.json`, else the file's own folder. Deploying a file
 * without a root stays inside its own folder; a program that trusts the surrounding files passes this folder.
 */
export function findRoot(file: string): string {
  const path = existsSync(file) ? realpathSync.native(file) : resolve(file);
  const folders = [...foldersAbove(path)];
  // `components/feed.js` alone is no such tree: the app's folder stands between the two.
  const tree = folders.find((folder, depth) => depth > 0 && basename(folder) === "components");
  const project = folders.find((folder) => existsSync(join(folder, "package.json")));
  return tree ?? project ?? dirname(path);
}
