import { readFileSync } from "node:fs";

const testName = /\.(?:test|spec)\.[cm]?[jt]s$/;
const appName = /\.app\.[cm]?[jt]s$/;
/** An app as the default export, whose first field says so. */
const appCode = /\bdefineApp\s*\(|\bexport\s+default\s*\{\s*(?:\/\/.*\s*)*type\s*:\s*["']app["']/;

/**
 * Why a file is not checked although it was given, as by `sources/*.js`: it stands beside components and is none.
 * Undefined for what is checked.
 */
export function whyNotChecked(file: string): string | undefined {
  if (testName.test(file)) return "a test is no component";
  if (appName.test(file) || appCode.test(readFileSync(file, "utf8")))
    return "an app is checked with the components that have it";
  return undefined;
}
