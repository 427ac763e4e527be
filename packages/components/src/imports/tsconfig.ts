import { posix } from "node:path";

import type { TsconfigRaw } from "esbuild";

import { isRecord } from "../shown-value.ts";
import { parseJsonc } from "./jsonc.ts";
import type { ReadManifest } from "./manifests.ts";
import { matchPattern } from "./pattern.ts";
import { isOutside, relativePath } from "./relative-path.ts";

/** The options that a build reads, as esbuild takes them. */
type CompilerOptions = NonNullable<TsconfigRaw["compilerOptions"]>;

/** What a build takes from the tsconfig.json of a component. */
export interface TsConfig {
  /** Its name, relative to the root. */
  readonly name: string;
  /** For esbuild; without options that change nothing. */
  readonly compilerOptions: CompilerOptions;
  readonly emitsMetadata: boolean;
  /** Names that a non-relative import may mean by `paths` and `baseUrl`, relative to the root, best first. */
  namesOf(specifier: string): PathNames;
  /** What it extends and is not read, each as a sentence. */
  readonly unread: readonly string[];
  /** The same settings without `extends`, for a copy of the file in the same folder. */
  readonly text: string;
}

interface PathNames {
  readonly names: readonly string[];
  /** The key of `paths`; absent when only `baseUrl` applies. */
  readonly key?: string;
}

export interface FoundTsConfig {
  readonly config?: TsConfig;
  /** Why it cannot be used, as a sentence. */
  readonly problem?: string;
  /** Names of each tsconfig.json that was looked for, also missing ones. */
  readonly looked: readonly string[];
}

/** Reads a file of the author's `node_modules` by its path in there; undefined when it does not exist. */
export type ReadInPackages = (path: string) => string | undefined;

const file = "tsconfig.json";
const taken = ["jsx", "jsxFactory", "jsxFragmentFactory", "jsxImportSource"] as const;
const others = ["experimentalDecorators", "emitDecoratorMetadata", "useDefineForClassFields", "target"] as const;

/** Options by name, with names of files relative to the root. */
interface Settings {
  readonly options: { readonly [option: string]: unknown };
  readonly baseUrl?: string;
  readonly paths?: { readonly [key: string]: readonly string[] };
}

/** What a config extends and is not read: its name, and a sentence. */
interface Unread {
  readonly base: string;
  readonly message: string;
}

interface Reading {
  readonly read: ReadManifest;
  readonly readInPackages: ReadInPackages;
  /** The folder that `${configDir}` means. */
  readonly folder: string;
  readonly unread: Unread[];
  readonly looked: string[];
  readonly seen: Set<string>;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** A path of a config as a name; undefined for an absolute path. */
function nameIn(folder: string, path: string, configDir: string): string | undefined {
  const [, rest] = /^\$\{configDir\}(.*)$/.exec(path) ?? [];
  if (rest !== undefined) return posix.join(configDir, `./${rest}`);
  return path.startsWith("/") ? undefined : posix.join(folder, path);
}

/** The settings of one config that is JSON, on those that it extends. */
function settingsOf(json: unknown, name: string, reading: Reading, isOfPackage = false): Settings {
  const fields = isRecord(json) ? json : {};
  const written = isRecord(fields["compilerOptions"]) ? fields["compilerOptions"] : {};
  const folder = posix.dirname(name);
  const { extends: bases } = fields;
  let settings: Settings = { options: {} };
  for (const base of (Array.isArray(bases) ? bases : [bases]).filter(isText))
    settings = { ...settings, ...baseSettings(base, name, reading, isOfPackage, settings) };
  const options = Object.fromEntries(
    [...taken, ...others].filter((each) => Object.hasOwn(written, each)).map((each) => [each, written[each]]),
  );
  // The files of a package's config are not the author's.
  if (isOfPackage) return { ...settings, options: { ...settings.options, ...options } };
  const baseUrl = isText(written["baseUrl"]) ? nameIn(folder, written["baseUrl"], reading.folder) : settings.baseUrl;
  const paths = isRecord(written["paths"])
    ? pathsOf(written["paths"], baseUrl ?? folder, reading.folder)
    : settings.paths;
  return {
    options: { ...settings.options, ...options },
    ...(baseUrl !== undefined && { baseUrl }),
    ...(paths && { paths }),
  };
}

const pathsOf = (
  written: { readonly [key: string]: unknown },
  folder: string,
  configDir: string,
): NonNullable<Settings["paths"]> =>
  Object.fromEntries(
    Object.entries(written).map(([key, targets]) => [
      key,
      (Array.isArray(targets) ? targets : []).filter(isText).flatMap((each) => nameIn(folder, each, configDir) ?? []),
    ]),
  );

function baseSettings(base: string, by: string, reading: Reading, isOfPackage: boolean, before: Settings): Settings {
  const isPath = /^(?:\.{1,2}(?:\/|$)|\/|\$\{configDir\})/.test(base);
  const found = isPath ? readBase(base, by, reading, isOfPackage) : readBaseOfPackage(base, reading);
  if ("problem" in found) {
    const name = isPath ? nameIn(posix.dirname(by), base, reading.folder) : undefined;
    const message = `${by} extends "${base}", which is not read: ${found.problem}`;
    reading.unread.push({ base: name === undefined ? base : relativePath(reading.folder, name), message });
    return before;
  }
  if (reading.seen.has(found.name)) return before;
  reading.seen.add(found.name);
  const { options, ...rest } = settingsOf(found.json, found.name, reading, found.isOfPackage);
  return { ...before, ...rest, options: { ...before.options, ...options } };
}

type Base =
  | { readonly json: unknown; readonly name: string; readonly isOfPackage: boolean }
  | { readonly problem: string };

const outside = {
  problem: "it is outside the component's root folder; --root DIR, or the option root, names a wider one",
};
const notThere = { problem: "there is no such file" };

/** Tries the name itself, then with `.json`, then as a folder. */
const basesNamed = (name: string): string[] =>
  name.endsWith(".json") ? [name] : [`${name}.json`, name, `${name}/${file}`];

function readBase(base: string, by: string, reading: Reading, isOfPackage: boolean): Base {
  const name = nameIn(posix.dirname(by), base, reading.folder);
  if (name === undefined) return { problem: "its path is absolute" };
  for (const each of basesNamed(name)) {
    if (isOfPackage) {
      const text = isOutside(each) ? undefined : reading.readInPackages(each);
      if (text !== undefined) return parsed(text, each, true);
      continue;
    }
    if (isOutside(each)) return outside;
    const text = reading.read(each);
    reading.looked.push(each);
    if (text && "problem" in text) return text;
    if (text) return parsed(text.text, each, false);
  }
  return notThere;
}

function readBaseOfPackage(base: string, { readInPackages }: Reading): Base {
  if (base.split("/").includes("..")) return notThere;
  for (const each of basesNamed(base)) {
    const text = readInPackages(each);
    if (text !== undefined) return parsed(text, each, true);
  }
  return { problem: "there is no such file in node_modules" };
}

function parsed(text: string, name: string, isOfPackage: boolean): Base {
  try {
    return { json: parseJsonc(text), name, isOfPackage };
  } catch {
    return { problem: "it is not JSON" };
  }
}

/** The folders from that of a file up to the root. */
function* foldersOf(name: string): Generator<string> {
  for (let folder = posix.dirname(name); ; folder = posix.dirname(folder)) {
    yield folder;
    if (folder === ".") return;
  }
}

/** Class fields are assigned by default where the target is older than ES2022. */
function assignsFields({ useDefineForClassFields: written, target }: Settings["options"]): boolean {
  if (typeof written === "boolean") return !written;
  return isText(target) && /^es(?:3|5|6|20(?:1\d|2[01]))$/i.test(target);
}

function compilerOptions(options: Settings["options"]): CompilerOptions {
  // With "preserve" JSX stays as it is, which nothing here reads.
  const texts = taken
    .filter((each) => isText(options[each]) && !(each === "jsx" && !/^react(?:-jsx|-jsxdev)?$/.test(options[each])))
    .map((each) => [each, options[each]]);
  return {
    ...(Object.fromEntries(texts) as CompilerOptions),
    ...(options["experimentalDecorators"] === true && { experimentalDecorators: true }),
    ...(assignsFields(options) && { useDefineForClassFields: false }),
  };
}

/** A copy's text: names are relative to its folder again, and those of `paths` to `baseUrl`. */
function textOf({ options, baseUrl, paths }: Settings, folder: string, unread: readonly Unread[]): string {
  const pathsFrom = baseUrl ?? folder;
  const written = Object.entries(paths ?? {}).map(([key, targets]) => [
    key,
    targets.map((each) => relativePath(pathsFrom, each)),
  ]);
  return JSON.stringify({
    ...(unread.length > 0 && { extends: unread.map(({ base }) => base) }),
    compilerOptions: {
      ...options,
      ...(baseUrl !== undefined && { baseUrl: relativePath(folder, baseUrl) }),
      ...(paths && { paths: Object.fromEntries(written) }),
    },
  });
}

/** Finds the tsconfig.json nearest to a component's entry, inside its root. */
export function findTsConfig(entry: string, read: ReadManifest, readInPackages: ReadInPackages): FoundTsConfig {
  const looked: string[] = [];
  for (const folder of foldersOf(entry)) {
    const name = posix.join(folder, file);
    looked.push(name);
    const found = read(name);
    if (!found) continue;
    const json = "problem" in found ? found : parsed(found.text, name, false);
    if ("problem" in json) return { problem: `"${name}" cannot be used: ${json.problem}`, looked };
    const reading = { read, readInPackages, folder, unread: [], looked, seen: new Set([name]) };
    return { config: configOf(settingsOf(json.json, name, reading), name, reading.unread), looked };
  }
  return { looked };
}

/** A file with types only has no code to bundle. */
const hasCode = (name: string): boolean => !/\.d\.[mc]?ts$/i.test(name);

function configOf(settings: Settings, name: string, unread: readonly Unread[]): TsConfig {
  const { options, baseUrl, paths = {} } = settings;
  return {
    name,
    compilerOptions: compilerOptions(options),
    emitsMetadata: options["emitDecoratorMetadata"] === true,
    namesOf(specifier) {
      const ofBase = baseUrl === undefined ? [] : [posix.join(baseUrl, specifier)];
      const found = matchPattern(Object.keys(paths), specifier);
      if (!found) return { names: ofBase };
      const names = (paths[found.key] ?? []).map((each) => posix.normalize(each.replace("*", () => found.star)));
      return { names: [...names.filter(hasCode), ...ofBase], key: found.key };
    },
    unread: unread.map(({ message }) => message),
    text: textOf(settings, posix.dirname(name), unread),
  };
}
