import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { randomFraction, sha256Hex, version } from "@x/model";
import { builtFile } from "../packages/built-file.ts";
import type { BuildReply, BuildRequest } from "./bundle-messages.ts";
import { isUnchanged } from "../imports/disk.ts";
import { type FileSet, fileSource } from "./source-set.ts";

type Built = Extract<BuildReply, { kind: "built" }>;
type CachedBuild = Built & Required<Pick<Built, "basis">>;

/** A cache of builds in a folder, shared by processes. */
export interface BuildCache {
  /** True when the cache has no build. */
  readonly isEmpty: boolean;
  /** The result of the same build: its files have the same contents, and their imports resolve to the same files. */
  find(request: BuildRequest): Built | undefined;
  /** Caches a build that depends only on the author's disk. Ignores a folder that cannot be written. */
  keep(request: BuildRequest, built: Built): void;
}

/** Version of the file format: a line with the SHA-256 of the rest, which is JSON. */
const format = 6;
const maxBuilds = 200;
const maxBytes = 128 * 1024 * 1024;
const maxBytesOfOne = 16 * 1024 * 1024;
const ending = ".json";

/** Files that a build depends on: the bundling process and the built-ins. Their size counts too, because installed files may have arbitrary times. */
const builderFiles = ["threads/bundler.mjs", "builtins"].map((name) => fileURLToPath(builtFile(name)));

function builderVersion(): string[] {
  const states = builderFiles.map((path) => {
    const { size, mtimeNs } = statSync(path, { bigint: true });
    return `${size} ${mtimeNs}`;
  });
  // The version of Node decides which modules are built in.
  return [`${version} ${format} ${process.version}`, ...states];
}

type FileRequest = Extract<BuildRequest, { file: string }>;

const isCacheable = (request: BuildRequest): request is FileRequest =>
  "file" in request && !request.packages?.installed;

function sourcesOf(request: FileRequest): FileSet | undefined {
  const sources = fileSource(request.file, request.root, request.codeBytes);
  return "refused" in sources ? undefined : sources;
}

function textOf(sources: FileSet, name: string): string | undefined {
  const source = sources.read(name);
  return "refused" in source ? undefined : source.text;
}

function isCurrent({ links, basis }: CachedBuild, sources: FileSet): boolean {
  const isResolvedAlike = links.every(([specifier, importer, name, via]) => {
    const found = sources.find(specifier, importer);
    return "name" in found ? found.name === name && found.via === via : name === "";
  });
  // The text of the entry is part of the cache key.
  const others = Object.entries(basis.hashes).filter(([name]) => name !== sources.entry);
  const isSame = ([name, hash]: readonly [string, string]): boolean => {
    const text = textOf(sources, name);
    return text !== undefined && sha256Hex(text) === hash;
  };
  return isResolvedAlike && others.every(isSame) && isUnchanged(basis, sources.root);
}

/** True for files of this user or root: a cached build replaces the author's code, so other users are not trusted. */
function isOwn({ uid }: { readonly uid: number }): boolean {
  const own = process.geteuid?.();
  return own === undefined || uid === own || uid === 0;
}

/** The build in a cache file; undefined when the file is damaged or not trusted. Throws when there is none. */
function readCached(path: string): CachedBuild | undefined {
  // Opening a pipe would wait for a writer. Windows has no such flag.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || !isOwn(stats) || stats.size > maxBytesOfOne) return undefined;
    const text = readFileSync(handle, "utf8");
    const end = text.indexOf("\n");
    const json = text.slice(end + 1);
    return sha256Hex(json) === text.slice(0, end) ? (JSON.parse(json) as CachedBuild) : undefined;
  } finally {
    closeSync(handle);
  }
}

export function openBuildCache(folder: string): BuildCache {
  let state: readonly string[] | undefined;

  const pathOf = (request: BuildRequest, entry: string, text: string): string => {
    state ??= builderVersion();
    const key = JSON.stringify([state, request.packages?.conditions, entry, text]);
    return join(folder, sha256Hex(key) + ending);
  };

  /** Evicts the older half when the cache is full, drafts of killed processes included. */
  function evict(): void {
    const all = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isFile() ? [{ path, at: found.mtimeMs, bytes: found.size }] : [];
    });
    const bytes = all.reduce((sum, each) => sum + each.bytes, 0);
    if (all.length < maxBuilds && bytes < maxBytes) return;
    const oldestFirst = all.toSorted((a, b) => a.at - b.at);
    for (const { path } of oldestFirst.slice(0, Math.ceil(all.length / 2))) rmSync(path, { force: true });
  }

  /** Writes atomically. */
  function write(path: string, text: string): void {
    const draft = `${path}.${process.pid}.${randomFraction()}`;
    try {
      writeFileSync(draft, text, { flag: "wx" });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }

  return {
    get isEmpty() {
      try {
        return !readdirSync(folder).some((name) => name.endsWith(ending));
      } catch {
        return true;
      }
    },
    find(request) {
      try {
        if (!isCacheable(request)) return undefined;
        const sources = sourcesOf(request);
        const text = sources && textOf(sources, sources.entry);
        if (!sources || text === undefined) return undefined;
        const cached = readCached(pathOf(request, sources.entry, text));
        return cached && isCurrent(cached, sources) ? cached : undefined;
      } catch {
        // No cached build, or files are gone: the build itself reports the problem.
        return undefined;
      }
    },
    keep(request, built) {
      const [entry] = built.files;
      if (!isCacheable(request) || !built.basis || entry === undefined) return;
      try {
        const json = JSON.stringify(built);
        const text = `${sha256Hex(json)}\n${json}`;
        if (Buffer.byteLength(text) > maxBytesOfOne) return;
        const path = pathOf(request, entry, built.code);
        mkdirSync(folder, { recursive: true });
        evict();
        write(path, text);
      } catch {
        // The cache may be incomplete.
      }
    },
  };
}
