import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { watchFolders } from "@x/runtime";

import { tryRead } from "./try-read.ts";

/** At most so many folders of packages are watched; beyond that only installations are. */
const maxFolders = 300;

const modules = "node_modules";

/** Reports when the packages of a component are installed, linked elsewhere or edited in place. */
export interface PackageWatch {
  /** Watches these files of packages, and installations. */
  follow(files: ReadonlySet<string>): void;
  close(): void;
}

export interface PackageWatchOptions {
  /** Packages are resolved from the `node_modules` of this folder and of those above. */
  readonly root: string;
  /** Called with the file, or with the `node_modules` folder of an installation. */
  readonly changed: (path: string) => void;
  readonly failed: (folder: string, error: unknown) => void;
}

function kindOf(path: string): "file" | "link" | "other" {
  const found = tryRead(() => lstatSync(path), undefined);
  if (found?.isSymbolicLink()) return "link";
  return found?.isFile() ? "file" : "other";
}

/** Folders in which packages may be installed: those with `node_modules` or a package.json. */
function projectsAbove(root: string): string[] {
  const found = [root];
  for (let folder = root; dirname(folder) !== folder;) {
    folder = dirname(folder);
    if ([modules, "package.json"].some((name) => existsSync(join(folder, name)))) found.push(folder);
  }
  return found;
}

/**
 * Package managers write a hidden file at the end of an installation. Before that, packages may be incomplete, and missing
 * ones would be fetched.
 */
const endsInstallation = (path: string): boolean => basename(path).startsWith(".") && kindOf(path) === "file";

const namesIn = (folder: string): readonly string[] => tryRead(() => readdirSync(folder), []);

const isInstalled = (folder: string): boolean =>
  kindOf(folder) === "link" || namesIn(folder).some((name) => endsInstallation(join(folder, name)));

export function createPackageWatch({ root, changed, failed }: PackageWatchOptions): PackageWatch {
  const projects = projectsAbove(root);
  const moduleFolders = new Set(projects.map((folder) => join(folder, modules)));
  let followed: ReadonlySet<string> = new Set();
  const folders = watchFolders({
    root,
    changed(path) {
      if (path === undefined) return;
      if (moduleFolders.has(path)) {
        // A first installation, or one after the folder was removed.
        folders.add(path);
        if (isInstalled(path)) changed(path);
      } else if (moduleFolders.has(dirname(path))) {
        if (endsInstallation(path) || kindOf(path) === "link") changed(dirname(path));
      } else if (followed.has(path) && kindOf(path) === "file") changed(path);
    },
    failed,
  });
  return {
    follow(files) {
      const packageFolders = [...new Set([...files].map((file) => dirname(file)))].slice(0, maxFolders);
      const wanted = new Set([
        ...projects,
        ...[...moduleFolders].filter((folder) => existsSync(folder)),
        ...packageFolders,
      ]);
      for (const folder of wanted) folders.add(folder);
      folders.keepOnly(wanted);
      followed = files;
    },
    close: () => folders.close(),
  };
}
