import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";

import type { MissingFile } from "../contract.ts";
import { disk, unlessMissing } from "../imports/disk.ts";
import type { ImportLink } from "./bundle-messages.ts";

export type SourceLanguage = "js" | "ts" | "jsx" | "tsx" | "json";

/** Why there is no result, as a sentence for the author. */
export interface Refused {
  readonly refused: string;
}

/** A file of the component that must be fetched first. */
export interface Missing {
  readonly missing: MissingFile;
}

/** A file that exists. */
export interface Found {
  readonly name: string;
  /** Path of the link that leads to the file; absent without a link. */
  readonly via?: string;
}

/** The files of one component. Names are relative to its root, with forward slashes. */
export interface SourceSet {
  readonly entry: string;
  /** Resolves a relative import. */
  find(specifier: string, importer: string): Found | Refused | Missing;
  /** `code`: bundled instead of the text. */
  read(name: string): { readonly text: string; readonly language: SourceLanguage; readonly code?: string } | Refused;
}

/** Languages of a component's files by extension. */
export const languages: ReadonlyMap<string, SourceLanguage> = new Map<string, SourceLanguage>([
  [".js", "js"],
  [".mjs", "js"],
  [".cjs", "js"],
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".jsx", "jsx"],
  [".tsx", "tsx"],
  [".json", "json"],
]);
const extensions = [...languages.keys()];
/** Endings of files that can be a component, for messages. */
export const codeEndings: string = ".js, .mjs, .cjs, .ts, .mts, .cts, .jsx or .tsx";
/** True for a file in TypeScript, whose imports may name what the compiler would write. */
export const isTypeScript = (name: string): boolean => ["ts", "tsx"].includes(languages.get(extname(name)) ?? "");
/** All files of a component together may be this many times as large as the limit for one file. */
export const filesFactor = 16;
const textEntry = "component.js";

/** Code sent as text: one module without other files. */
export function textSource(code: string, codeBytes: number): SourceSet {
  return {
    entry: textEntry,
    find: (specifier) => ({
      refused: `"${specifier}" cannot be imported: code sent as text has no files beside it; deploy the component by its path`,
    }),
    read() {
      const bytes = Buffer.byteLength(code);
      return bytes > codeBytes ? { refused: tooLarge(textEntry, codeBytes, bytes) } : { text: code, language: "js" };
    },
  };
}

/** The files in a folder of this machine. */
export interface FileSet extends SourceSet {
  /** Real path of the root folder. */
  readonly root: string;
}

/** Real path of the root folder, which imports must stay in. Throws when it does not exist. */
export const realRootOf = ({ file, root }: { readonly file: string; readonly root?: string | undefined }): string =>
  disk.realpath(root ?? dirname(disk.realpath(file)));

/** A file and what it imports inside `root`, by real path: links that lead out are refused. */
export function fileSource(file: string, root: string | undefined, codeBytes: number): FileSet | Refused {
  const real = findRealPath(resolve(file));
  if (real === undefined || !isFile(real)) return { refused: `File "${file}" does not exist or is not a file` };
  const realRoot = root === undefined ? dirname(real) : findRealPath(resolve(root));
  if (realRoot === undefined) return { refused: `The root folder "${root}" does not exist` };
  const entry = nameInside(realRoot, real);
  if (entry === undefined) return { refused: `File "${file}" is outside the root folder "${root}"` };
  const language = languages.get(extname(entry));
  if (language === undefined || language === "json") {
    return { refused: `File "${basename(file)}" must end in ${codeEndings}` };
  }
  const sizes = new Map<string, number>();
  let totalBytes = 0;
  return {
    entry,
    root: realRoot,
    find(specifier, importer) {
      const target = posix.join(posix.dirname(importer), specifier);
      if (target === ".." || target.startsWith("../../")) return outside(specifier);
      for (const candidate of candidates(specifier, importer)) {
        const path = findRealPath(join(realRoot, candidate));
        if (path === undefined) continue;
        const name = nameInside(realRoot, path);
        if (name === undefined) return outside(specifier);
        if (!isFile(path)) continue;
        if (languages.has(extname(name))) return { name, ...(name !== candidate && { via: candidate }) };
        return { refused: `"${specifier}" cannot be imported: only ${extensions.join(" ")} files can` };
      }
      return { refused: `"${specifier}" does not exist in the component's folder` };
    },
    read(name) {
      // Opened once, so that size and content are from the same file.
      const handle = openSync(join(realRoot, name), "r");
      try {
        const { size } = fstatSync(handle);
        if (size > codeBytes) return { refused: tooLarge(name, codeBytes, size) };
        // A file may be read several times for one build.
        totalBytes += size - (sizes.get(name) ?? 0);
        sizes.set(name, size);
        if (totalBytes > codeBytes * filesFactor) {
          return { refused: `The files of the component are larger than ${codeBytes * filesFactor} bytes together` };
        }
        const bytes = readFileSync(handle);
        if (bytes.length > codeBytes) return { refused: tooLarge(name, codeBytes, bytes.length) };
        if (!isUtf8(bytes)) return { refused: `File "${name}" is not UTF-8 text` };
        return { text: bytes.toString("utf8"), language: languages.get(extname(name)) ?? "js" };
      } finally {
        closeSync(handle);
      }
    },
  };
}

/** The paths that an import may mean: the file itself, with an extension, or the index of a folder. */
export function* candidates(specifier: string, importer: string): Generator<string> {
  const target = posix.join(posix.dirname(importer), specifier);
  yield target;
  // TypeScript authors import the file that the compiler would write.
  if (isTypeScript(importer)) {
    if (/\.[mc]?js$/.test(target)) yield target.replace(/js$/, "ts");
    if (/\.jsx?$/.test(target)) yield target.replace(/jsx?$/, "tsx");
  }
  for (const extension of extensions) yield target + extension;
  for (const extension of extensions) yield posix.join(target, `index${extension}`);
}

const outside = (specifier: string): Refused => ({
  refused: `"${specifier}" cannot be imported: it is outside the component's root folder; --root DIR, or the option root, names a wider one`,
});

const tooLarge = (name: string, limit: number, got: number): string =>
  `File "${name}" must be at most ${limit} bytes, got ${got}`;

const findRealPath = (path: string): string | undefined => unlessMissing(() => disk.realpath(path));

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function nameInside(root: string, path: string): string | undefined {
  const name = relative(root, path);
  if (name === ".." || name.startsWith(`..${sep}`) || isAbsolute(name)) return undefined;
  return name.split(sep).join("/");
}

/** The paths that were probed until the file of an import was found. */
function* probedFor([specifier, importer, name, via = name]: ImportLink): Generator<string> {
  for (const candidate of candidates(specifier, importer)) {
    yield candidate;
    if (candidate === via) return;
  }
}

function* foldersOf(name: string): Generator<string> {
  for (let folder = posix.dirname(name); folder !== "."; folder = posix.dirname(folder)) yield folder;
}

/**
 * Paths that imports depend on, beside the component's files: a new file or another link there changes what they resolve to.
 */
export function probedPaths(files: readonly string[], links: readonly ImportLink[]): string[] {
  const names = [...files, ...links.flatMap((link) => [...probedFor(link)])];
  const all = new Set(names.flatMap((name) => [name, ...foldersOf(name)]));
  return [...all]
    .filter((name) => name !== "." && name !== ".." && !name.startsWith("../") && !files.includes(name))
    .toSorted();
}
