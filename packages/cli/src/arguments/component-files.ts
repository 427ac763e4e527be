import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { checkFile } from "./path.ts";
import { UsageError } from "../errors.ts";

const testName = /\.(?:test|spec)\.[cm]?[jt]s$/;
const appName = /\.app\.[cm]?[jt]s$/;
/** A default export whose first field is `type: "app"`. */
const appCode = /\bdefineApp\s*\(|\bexport\s+default\s*\{\s*(?:\/\/.*\n\s*)*type\s*:\s*["']app["']/;

/** The reason to skip a file that is not a component, such as one of `sources/*.js`; undefined for a component. */
export function findSkipReason(file: string): string | undefined {
  if (testName.test(file)) return "a test is not a component";
  if (appName.test(file) || appCode.test(readFileSync(file, "utf8")))
    return "an app is checked with the components that use it";
  return undefined;
}

const codeName = /\.[cm]?[jt]s$/;
const noComponentName = /(?:\.d\.[cm]?ts|\.config\.[cm]?[jt]s)$/;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage", "build"]);

/** Whether code seems to have a default export with `run` or `steps`. */
const looksLikeComponent = (code: string): boolean =>
  /\bexport\s+default\b|\bas\s+default\b|\bmodule\.exports\b/.test(code) && /\brun\b|\bsteps\b/.test(code);

/** Files of a folder that may be components or workflows, by name. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith(".") || skippedFolders.has(entry.name) ? [] : filesIn(path);
    if (!entry.isFile() || !codeName.test(entry.name) || noComponentName.test(entry.name)) return [];
    return looksLikeComponent(readFileSync(path, "utf8")) ? [path] : [];
  });
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

export interface ComponentFiles {
  readonly files: readonly string[];
  /** Named files that are not components: tests and apps. */
  readonly skipped: readonly { readonly file: string; readonly why: string }[];
}

/** The component files among files and folders. Throws `UsageError` when there is none, or a file does not exist. */
export function findComponentFiles(operands: readonly string[]): ComponentFiles {
  const files: string[] = [];
  const skipped: { file: string; why: string }[] = [];
  for (const operand of operands) {
    const inFolder = isFolder(operand);
    if (!inFolder) checkFile(operand);
    for (const file of inFolder ? filesIn(operand) : [operand]) {
      const why = findSkipReason(file);
      if (why === undefined) files.push(file);
      else if (!inFolder) skipped.push({ file, why });
    }
  }
  if (files.length > 0) return { files, skipped };
  const [first] = skipped;
  if (first && skipped.length === 1) throw new UsageError(`${first.file}: ${first.why}`);
  throw new UsageError(
    `There is no component in ${operands.join(" ")}; a component is the default export of a file, with a run`,
  );
}
