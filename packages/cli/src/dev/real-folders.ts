import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { unlessGone } from "./unless-gone.ts";

/** As they are told when they change, whatever links lead to them; with the links that they lead over. */
export function inRealFolders(paths: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Map<string, string>();
  const realOf = (folder: string): string => {
    const real = known.get(folder) ?? realPathOf(folder);
    known.set(folder, real);
    return real;
  };
  const all = new Set<string>();
  for (const path of paths) {
    for (let next: string | undefined = path; next !== undefined;) {
      const real: string = join(realOf(dirname(next)), basename(next));
      next = all.has(real) ? undefined : findTarget(real);
      all.add(real);
    }
  }
  return all;
}

/** Where a link leads; it may lead nowhere. */
const findTarget = (path: string): string | undefined =>
  unlessGone(() => resolve(dirname(path), readlinkSync(path)), undefined);

/** The same where there is none. */
const realPathOf = (path: string): string => unlessGone(() => realpathSync(path), path);
