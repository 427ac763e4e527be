import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { findRoot } from "@x/runtime";

import { HarnessError } from "../harness-error.ts";
import { findExport, type FoundExport } from "../imported/loaded-module.ts";
import { nodeModules } from "../imported/node-modules.ts";
import { findMockedImport, isVitestKnown, unknownVitestText, vitestModules } from "../imported/vitest-modules.ts";
import { shown } from "../shown.ts";

/** The code under test: URL or path of its file, or its text. Relative paths start at the working directory. */
export type GivenCode = URL | string | { readonly code: string };

/** The default export of a component's, action's or workflow's file. */
export interface ImportedComponent {
  readonly name?: unknown;
  readonly props?: unknown;
  readonly run?: unknown;
  readonly steps?: unknown;
}

/** What is under test: the imported object, or its code. The harness always runs the file, never the object. */
export type GivenComponent = GivenCode | ImportedComponent;

/** The component as the runtime takes it. */
export type ComponentFile = { readonly file: string; readonly root: string } | { readonly code: string };

const advice = 'source(new URL("./feed.mjs", import.meta.url))';

/**
 * Finds the component's file. `root` is the folder that its imports may come from; default: see `findRoot`. Throws
 * `HarnessError` when there is none.
 */
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
    if (!existsSync(file)) throw new HarnessError(missingText(given, file));
    return file;
  }
  if (typeof given === "object" && given !== null) return importedFile(given);
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

function missingText(given: URL | string, file: string): string {
  const from =
    typeof given === "string" && !given.startsWith("file:") ? ` "${given}" was resolved from ${process.cwd()}.` : "";
  return `There is no component file ${file}.${from} For a path beside the test write ${advice}.`;
}

/** Objects whose export was found. */
const foundExports = new WeakMap<object, FoundExport>();

/** The file whose default export is `given`. */
function importedFile(given: object): string {
  if (!isVitestKnown()) throw new HarnessError(unknownVitestText(advice));
  const found = foundExports.get(given) ?? findExport(vitestModules(), given) ?? findExport(nodeModules(), given);
  if (!found)
    throw new HarnessError(
      `No imported file has this object as its default export. The sandbox runs the file, not the object: give the component as it was imported, not a copy of it, or name its file: ${advice}.`,
    );
  foundExports.set(given, found);
  const { module, name } = found;
  if (module.isMock)
    throw new HarnessError(
      `This object is the mock that vi.mock made of ${module.file}. The sandbox runs the file, not the mock: remove the mock and add routes for the component's requests, or name the file: ${advice}.`,
    );
  if (name !== "default")
    throw new HarnessError(
      `This object is the export "${name}" of ${module.file}. The harness runs the default export of a file: move the component to a file of its own.`,
    );
  const mocked = findMockedImport(module.file);
  if (mocked !== undefined)
    throw new HarnessError(
      `${module.file} imports ${mocked}, which this test mocks. The sandbox runs the files, not the mocks: add routes for the component's requests, or name the file: ${advice}.`,
    );
  return module.file;
}
