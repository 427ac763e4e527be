import type { PackageProgress } from "@x/runtime";

import { inLine } from "../terminal/visible.ts";

const maxShown = 3;

/** A line about an installation; undefined for a step that has none. */
export function progressLine({ phase, requested, done, total }: PackageProgress): string | undefined {
  const more = requested.length > maxShown ? ` and ${requested.length - maxShown} more` : "";
  const named = requested.slice(0, maxShown).join(", ") + more;
  if (phase === "resolving") return `npm packages: looking up ${named}`;
  return phase === "fetching" && done === 0 && total > 0 ? `npm packages: fetching ${total} for ${named}` : undefined;
}

/** Prints progress on standard error when that is a terminal. */
export function showProgress(progress: PackageProgress): void {
  const line = process.stderr.isTTY ? progressLine(progress) : undefined;
  if (line !== undefined) process.stderr.write(`${inLine(line)}\n`);
}
