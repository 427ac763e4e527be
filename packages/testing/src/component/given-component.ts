import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { findRoot } from "@x/runtime";

import { HarnessError } from "../harness-error.ts";
import { importedFile } from "../imported/imported-file.ts";
import { shown } from "../shown.ts";

/** Where the code under test is: the URL or path of its file, or its text. Relative paths begin at the working directory. */
export type GivenCode = URL | string | { readonly code: string };

/** A component, an action or a workflow as its file exports it by default. */
export interface ImportedComponent {
  readonly name?: unknown;
  readonly props?: unknown;
  readonly run?: unknown;
  readonly steps?: unknown;
}

/** What is under test: the imported object itself, or where its code is. What runs is its file, in either case. */
export type GivenComponent = GivenCode | ImportedComponent;

/** What the runtime takes. */
export type ComponentFile = { readonly file: string; readonly root: string } | { readonly code: string };

const advice = 'source(new URL("./feed.mjs", import.meta.url))';

/** Finds the component's file. `root` is the folder that its imports may come from; default: see `findRoot`. */
export function findComponent(given: GivenComponent, root?: URL | string): ComponentFile {
  if (isText(given)) return { code: given.code };
  const file = fileOf(given);
  return { file, root: root === undefined ? findRoot(file) : pathOf(root) };
}

const isText = (given: unknown): given is { readonly code: string } =>
  typeof given === "object" && given !== null && "code" in given && typeof given.code === "string";

function fileOf(given: unknown): string {
  if (given instanceof URL || typeof given === "string") {
    const file = pathOf(given);
    if (!existsSync(file)) throw new HarnessError(missing(given, file));
    return file;
  }
  if (typeof given === "object" && given !== null) return importedFile(given, advice);
  throw new HarnessError(
    `source() takes an imported component, the URL or path of its file, or { code }, got ${shown(given)}. Write ${advice}.`,
  );
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
