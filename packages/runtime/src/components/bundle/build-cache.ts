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

import { randomFraction } from "../../process/ids.ts";
import { sha256Hex } from "../../process/sha256.ts";
import { version } from "../../model/version.ts";
import type { BuildReply, BuildRequest } from "./bundle-messages.ts";
import { areStillTrue } from "../imports/disk.ts";
import { type FileSet, fileSource } from "./source-set.ts";
import { builtFile } from "../../process/built-file.ts";

type Built = Extract<BuildReply, { kind: "built" }>;
type StoredBuild = Built & Required<Pick<Built, "basis">>;

/** Builds of files in a folder, from one process to the next. */
export interface StoredBuilds {
  /** True: nothing has been built here yet. */
  readonly isEmpty: boolean;
  /** What the build would give: its files have the same contents, and their imports lead to the same files. */
  find(request: BuildRequest): Built | undefined;
  /** Keeps a build that depends on the author's disk alone. A folder that cannot be written keeps none. */
  keep(request: BuildRequest, built: Built): void;
}

/** Of what the files hold: a line with the SHA-256 of the rest, which is JSON. */
const format = 4;
const mostBuilds = 200;
const mostBytes = 128 * 1024 * 1024;
const mostBytesOfOne = 16 * 1024 * 1024;
const ending = ".json";

/** What makes builds: the bundling process, and the built-ins that there are. Packages may come with made-up times. */
const makers = ["threads/bundler.mjs", "builtins"].map((name) => fileURLToPath(builtFile(name)));

function makersState(): string[] {
  const states = makers.map((path) => {
    const { size, mtimeNs } = statSync(path, { bigint: true });
    return `${size} ${mtimeNs}`;
  });
  // Node says which modules are built in.
  return [`${version} ${format} ${process.version}`, ...states];
}

type FileRequest = Extract<BuildRequest, { file: string }>;

const mayKeep = (request: BuildRequest): request is FileRequest => "file" in request && !request.packages?.installed;

function sourcesOf(request: FileRequest): FileSet | undefined {
  const sources = fileSource(request.file, request.root, request.codeBytes);
  return "refused" in sources ? undefined : sources;
}

function textOf(sources: FileSet, name: string): string | undefined {
  const source = sources.read(name);
  return "refused" in source ? undefined : source.text;
}

function isAsBuilt({ links, basis }: StoredBuild, sources: FileSet): boolean {
  const leads = links.every(([specifier, importer, name, place]) => {
    const found = sources.find(specifier, importer);
    return "name" in found && found.name === name && found.place === place;
  });
  // The entry's text is part of the name that the build is kept by.
  const others = Object.entries(basis.hashes).filter(([name]) => name !== sources.entry);
  const isSame = ([name, hash]: readonly [string, string]): boolean => {
    const text = textOf(sources, name);
    return text !== undefined && sha256Hex(text) === hash;
  };
  return leads && others.every(isSame) && areStillTrue(basis, sources.root);
}

/** Who else can write here is not believed: what is kept stands for the author's own code. */
function isOwn({ uid }: { readonly uid: number }): boolean {
  const own = process.geteuid?.();
  return own === undefined || uid === own || uid === 0;
}

/** Undefined: it is torn. Throws when there is none that may be read. */
function readStored(path: string): StoredBuild | undefined {
  // Opening a pipe would wait for whoever writes to it; Windows has no such flag.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || !isOwn(stats) || stats.size > mostBytesOfOne) return undefined;
    const text = readFileSync(handle, "utf8");
    const end = text.indexOf("\n");
    const json = text.slice(end + 1);
    return sha256Hex(json) === text.slice(0, end) ? (JSON.parse(json) as StoredBuild) : undefined;
  } finally {
    closeSync(handle);
  }
}

export function openStoredBuilds(folder: string): StoredBuilds {
  let state: readonly string[] | undefined;

  const pathOf = (request: BuildRequest, entry: string, text: string): string => {
    state ??= makersState();
    const key = JSON.stringify([state, request.packages?.conditions, entry, text]);
    return join(folder, sha256Hex(key) + ending);
  };

  /** The half that was written first, also what processes left that were killed as they wrote. */
  function makeRoom(): void {
    const all = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isFile() ? [{ path, at: found.mtimeMs, bytes: found.size }] : [];
    });
    const bytes = all.reduce((sum, each) => sum + each.bytes, 0);
    if (all.length < mostBuilds && bytes < mostBytes) return;
    const oldestFirst = all.toSorted((a, b) => a.at - b.at);
    for (const { path } of oldestFirst.slice(0, Math.ceil(all.length / 2))) rmSync(path, { force: true });
  }

  /** Whole, or not at all. */
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
        if (!mayKeep(request)) return undefined;
        const sources = sourcesOf(request);
        const text = sources && textOf(sources, sources.entry);
        if (!sources || text === undefined) return undefined;
        const stored = readStored(pathOf(request, sources.entry, text));
        return stored && isAsBuilt(stored, sources) ? stored : undefined;
      } catch {
        // None is there, or files are not as they were: the build itself tells what is wrong.
        return undefined;
      }
    },
    keep(request, built) {
      const [entry] = built.files;
      if (!mayKeep(request) || !built.basis || entry === undefined) return;
      try {
        const json = JSON.stringify(built);
        const text = `${sha256Hex(json)}\n${json}`;
        if (Buffer.byteLength(text) > mostBytesOfOne) return;
        const path = pathOf(request, entry, built.code);
        mkdirSync(folder, { recursive: true });
        makeRoom();
        write(path, text);
      } catch {
        // Another process keeps it, or none does.
      }
    },
  };
}
