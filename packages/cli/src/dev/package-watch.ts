import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { watchFolders } from "@x/runtime";

import { unlessGone } from "./unless-gone.ts";

/** A package of more folders than this is only followed by what installs it. */
const mostFolders = 300;

const modules = "node_modules";

/** Tells when the packages beside a component are installed anew, linked elsewhere, or edited where they lie. */
export interface PackageWatch {
  /** From now on these files of packages count, and whatever is installed. */
  follow(files: ReadonlySet<string>): void;
  close(): void;
}

export interface PackageWatchOptions {
  /** Packages are looked for in the `node_modules` here and above. */
  readonly root: string;
  /** Gets the file, or the `node_modules` folder that something was installed in. */
  readonly changed: (path: string) => void;
  readonly failed: (folder: string, error: unknown) => void;
}

function kindOf(path: string): "file" | "link" | "other" {
  const found = unlessGone(() => lstatSync(path), undefined);
  if (found?.isSymbolicLink()) return "link";
  return found?.isFile() ? "file" : "other";
}

/** Where packages may be installed: a folder without any packages yet counts when it has a manifest. */
function projectsAbove(root: string): string[] {
  const found = [root];
  for (let folder = root; dirname(folder) !== folder;) {
    folder = dirname(folder);
    if ([modules, "package.json"].some((name) => existsSync(join(folder, name)))) found.push(folder);
  }
  return found;
}

/**
 * Package managers write a hidden file as the last thing of an installation. Before that packages may lack parts, and
 * those that lack would be fetched.
 */
const endsInstallation = (path: string): boolean => basename(path).startsWith(".") && kindOf(path) === "file";

const namesIn = (folder: string): readonly string[] => unlessGone(() => readdirSync(folder), []);

const isInstalled = (home: string): boolean =>
  kindOf(home) === "link" || namesIn(home).some((name) => endsInstallation(join(home, name)));

export function createPackageWatch({ root, changed, failed }: PackageWatchOptions): PackageWatch {
  const projects = projectsAbove(root);
  const homes = new Set(projects.map((folder) => join(folder, modules)));
  let followed: ReadonlySet<string> = new Set();
  const folders = watchFolders({
    root,
    changed(path) {
      if (path === undefined) return;
      if (homes.has(path)) {
        // Installed for the first time, or once more after it was removed.
        folders.add(path);
        if (isInstalled(path)) changed(path);
      } else if (homes.has(dirname(path))) {
        if (endsInstallation(path) || kindOf(path) === "link") changed(dirname(path));
      } else if (followed.has(path) && kindOf(path) === "file") changed(path);
    },
    failed,
  });
  return {
    follow(files) {
      const places = [...new Set([...files].map((file) => dirname(file)))].slice(0, mostFolders);
      const wanted = new Set([...projects, ...[...homes].filter((folder) => existsSync(folder)), ...places]);
      for (const folder of wanted) folders.add(folder);
      folders.keepOnly(wanted);
      followed = files;
    },
    close: () => folders.close(),
  };
}
