import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { checkFile } from "./path.ts";
import { UsageError } from "../errors.ts";

const testName = /\.(?:test|spec)\.[cm]?[jt]s$/;
const appName = /\.app\.[cm]?[jt]s$/;
/** An app as the default export, whose first field says so. */
const appCode = /\bdefineApp\s*\(|\bexport\s+default\s*\{\s*(?:\/\/.*\s*)*type\s*:\s*["']app["']/;

/**
 * Why a file is not checked although it was given, as by `sources/*.js`: it stands beside components and is none.
 * Undefined for what is checked.
 */
export function findSkipReason(file: string): string | undefined {
  if (testName.test(file)) return "a test is no component";
  if (appName.test(file) || appCode.test(readFileSync(file, "utf8")))
    return "an app is checked with the components that have it";
  return undefined;
}

const codeName = /\.[cm]?[jt]s$/;
const noComponentName = /(?:\.d\.[cm]?ts|\.config\.[cm]?[jt]s)$/;
const passedOver: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage", "build"]);

/** A default export with a run, or steps. */
const looksLikeOne = (code: string): boolean =>
  /\bexport\s+default\b|\bas\s+default\b|\bmodule\.exports\b/.test(code) && /\brun\b|\bsteps\b/.test(code);

/** Files of a folder that may be components or workflows, in the order of their names. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith(".") || passedOver.has(entry.name) ? [] : filesIn(path);
    if (!entry.isFile() || !codeName.test(entry.name) || noComponentName.test(entry.name)) return [];
    return looksLikeOne(readFileSync(path, "utf8")) ? [path] : [];
  });
}

/** Is it there, and a folder? */
export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

export interface ComponentFiles {
  readonly files: readonly string[];
  /** Given, and none: tests and apps. */
  readonly skipped: readonly { readonly file: string; readonly why: string }[];
}

/** The components among what was given, files and folders. Throws `UsageError` where there is none, or no such file. */
export function findComponentFiles(operands: readonly string[]): ComponentFiles {
  const files: string[] = [];
  const skipped: { file: string; why: string }[] = [];
  for (const operand of operands) {
    const whole = isFolder(operand);
    if (!whole) checkFile(operand);
    for (const file of whole ? filesIn(operand) : [operand]) {
      const why = findSkipReason(file);
      if (why === undefined) files.push(file);
      else if (!whole) skipped.push({ file, why });
    }
  }
  if (files.length > 0) return { files, skipped };
  const [first] = skipped;
  if (first && skipped.length === 1) throw new UsageError(`${first.file}: ${first.why}`);
  throw new UsageError(
    `There is no component in ${operands.join(" ")}: one is the default export of a file, with a run`,
  );
}
