import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { findRoot } from "@x/runtime";

import { HarnessError } from "./harness-error.ts";
import { shown } from "./shown.ts";

/** The component under test: the URL or path of its file, or its code. Relative paths begin at the working directory. */
export type GivenComponent = URL | string | { readonly code: string };

/** What the runtime takes. */
export type ComponentFile = { readonly file: string; readonly root: string } | { readonly code: string };

const advice = 'source(new URL("./feed.mjs", import.meta.url))';

/** Finds the component's file. `root` is the folder that its imports may come from; default: see `findRoot`. */
export function findComponent(given: GivenComponent, root?: URL | string): ComponentFile {
  if (given instanceof URL || typeof given === "string") {
    const file = pathOf(given);
    if (!existsSync(file)) throw new HarnessError(missing(given, file));
    return { file, root: root === undefined ? findRoot(file) : pathOf(root) };
  }
  if (typeof given === "object" && typeof given?.code === "string") return { code: given.code };
  throw new HarnessError(refusal(given));
}

function pathOf(given: URL | string): string {
  if (typeof given === "string" && !given.startsWith("file:")) return resolve(given);
  const url = new URL(given);
  if (url.protocol !== "file:")
    throw new HarnessError(`The component must be a file on this machine, got ${url.href}. Write ${advice}.`);
  return fileURLToPath(url);
}

function missing(given: URL | string, file: string): string {
  const from =
    typeof given === "string" && !given.startsWith("file:") ? ` "${given}" was looked up from ${process.cwd()}.` : "";
  return `There is no component file ${file}.${from} A path beside the test is ${advice}.`;
}

/** An imported object has no file, and the sandbox takes code: so it cannot be what runs in production. */
function refusal(given: unknown): string {
  const isObject = typeof given === "object" && given !== null && "run" in given;
  if (isObject || typeof given === "function")
    return `source() was given the imported component itself. It runs the file in the real sandbox, so it needs to know where that is: write ${advice} in place of the import.`;
  return `source() takes the URL or path of a component's file, or { code }, got ${shown(given)}. Write ${advice}.`;
}
