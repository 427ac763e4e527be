import { dirname, join, sep } from "node:path";

import { axiosSendsByFetch } from "./axios-over-fetch.ts";
import { packageFolderOf } from "./package-folder.ts";
import { parsePackageSpecifier } from "./package-specifier.ts";

interface Taken {
  /** What its build for browsers lacks. */
  readonly lacks: string;
  /** Absent: every version. */
  readonly versions?: (version: string) => boolean;
}

/** Packages whose build for browsers loads in a sandbox, and then cannot do what components ask of it. */
const taken: { readonly [name: string]: Taken } = {
  "@aws-sdk/xml-builder": { lacks: "DOMParser" },
  axios: { lacks: "XMLHttpRequest, beside which it knows nothing there", versions: (it) => !axiosSendsByFetch(it) },
  stripe: { lacks: "signatures of webhooks that are checked at once: there they are checked asynchronously only" },
  superagent: { lacks: "XMLHttpRequest" },
};

/** Of a second version, whose folder has a number behind the name, too. */
const takenOf = (name: string): Taken | undefined => {
  const plain = name.replace(/__\d+$/, "");
  return Object.hasOwn(taken, plain) ? taken[plain] : undefined;
};

export function isTakenAsInNode(name: string, version: string): boolean {
  const found = takenOf(name);
  return found !== undefined && (found.versions?.(version) ?? true);
}

const modules = `node_modules${sep}`;

/** The name of the package that a folder lies in; undefined outside of packages. */
function packageAt(folder: string): string | undefined {
  const at = folder.lastIndexOf(modules);
  return at < 0
    ? undefined
    : parsePackageSpecifier(
        folder
          .slice(at + modules.length)
          .split(sep)
          .join("/"),
      )?.name;
}

/** The folders that a package may be in for files of that folder, the nearest first. */
function* placesOf(name: string, folder: string): Iterable<string> {
  for (let place = folder; ; place = dirname(place)) {
    yield join(place, "node_modules", name);
    if (dirname(place) === place) return;
  }
}

/**
 * Is an import of files in that folder resolved as Node does, whatever conditions hold elsewhere? `versionIn` reads the
 * version of the package in a folder, if there is one.
 */
export function resolvesAsInNode(
  folder: string,
  specifier: string,
  versionIn: (packageFolder: string) => string | undefined,
): boolean {
  const isInside = /^[./#]/.test(specifier);
  const name = isInside ? packageAt(folder) : parsePackageSpecifier(specifier)?.name;
  const found = name === undefined ? undefined : takenOf(name);
  if (name === undefined || !found?.versions) return found !== undefined;
  const places = isInside ? [packageFolderOf(folder) ?? folder] : placesOf(name, folder);
  for (const place of places) {
    const version = versionIn(place);
    if (version !== undefined) return found.versions(version);
  }
  return false;
}
