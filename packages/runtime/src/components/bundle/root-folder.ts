import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The folders above a file, the nearest first; the file system's own root is none of them. */
function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) yield folder;
}

/** Where tools keep the builds of a project: with its packages, which are not its code either; undefined without any. */
export function findBuildsFolder(workingFolder: string): string | undefined {
  const packages = [...foldersAbove(join(workingFolder, "_"))].map((folder) => join(folder, "node_modules"));
  const nearest = packages.find((folder) => existsSync(folder));
  return nearest === undefined ? undefined : join(nearest, ".cache/x/builds");
}

/**
 * The folder that the imports of a component's file may come from, for an author's own files: the `components` folder of
 * a tree `components/<app>/…`, else the nearest folder with a `package.json`, else the file's own folder. Deploying a file
 * without a root stays inside its own folder; a program that trusts the files around it passes this one.
 */
export function findRoot(file: string): string {
  const path = existsSync(file) ? realpathSync.native(file) : resolve(file);
  const folders = [...foldersAbove(path)];
  // `components/feed.js` alone is no such tree: the app's folder stands between the two.
  const tree = folders.find((folder, depth) => depth > 0 && basename(folder) === "components");
  const project = folders.find((folder) => existsSync(join(folder, "package.json")));
  return tree ?? project ?? dirname(path);
}
