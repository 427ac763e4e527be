import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { sha256Hex } from "../ids.ts";
import { version } from "../version.ts";
import type { BuildBasis, BuildReply, BuildRequest } from "./bundle/bundle-messages.ts";
import { areStillTrue } from "./imports/witnessed-disk.ts";
import { fileSource, realRootOf, type SourceSet } from "./bundle/source-set.ts";

type Built = Extract<BuildReply, { kind: "built" }>;
type StoredBuild = Built & { readonly basis: BuildBasis };

/** Builds of files in a folder, from one process to the next. */
export interface StoredBuilds {
  /** True: nothing has been built here yet. */
  readonly isEmpty: boolean;
  /** What the build would give: its files have the same contents, and their imports lead to the same files. */
  find(request: BuildRequest): Built | undefined;
  /** Keeps a build that depends on the author's disk alone. A folder that cannot be written keeps none. */
  keep(request: BuildRequest, built: Built): void;
}

/** Of what the files hold. */
const format = 2;
const mostBuilds = 200;
const mostChars = 8 * 1024 * 1024;
const ending = ".json";

/** What makes builds: the bundling process, and the built-ins that there are. Packages may come with made-up times. */
const makers = ["threads/bundler.mjs", "builtins"].map((name) =>
  fileURLToPath(new URL(`../../dist/${name}`, import.meta.url)),
);

function makersState(): string[] {
  const states = makers.map((path) => {
    const { size, mtimeNs } = statSync(path, { bigint: true });
    return `${size} ${mtimeNs}`;
  });
  return [`${version} ${format}`, ...states];
}

type FileRequest = Extract<BuildRequest, { file: string }>;

const mayKeep = (request: BuildRequest): request is FileRequest => "file" in request && !request.packages?.installed;

function sourcesOf(request: FileRequest): SourceSet | undefined {
  const sources = fileSource(request.file, request.root, request.codeBytes);
  return "refused" in sources ? undefined : sources;
}

function textOf(sources: SourceSet, name: string): string | undefined {
  const source = sources.read(name);
  return "refused" in source ? undefined : source.text;
}

function isAsBuilt({ links, hashes, looks }: BuildBasis, sources: SourceSet, root: string): boolean {
  const leads = links.every(([specifier, importer, name]) => {
    const found = sources.find(specifier, importer);
    return "name" in found && found.name === name;
  });
  // The entry's text is part of the name that the build is kept by.
  const others = Object.entries(hashes).filter(([name]) => name !== sources.entry);
  return (
    leads &&
    others.every(([name, hash]) => sha256Hex(textOf(sources, name) ?? "") === hash) &&
    areStillTrue(looks, root)
  );
}

export function openStoredBuilds(folder: string): StoredBuilds {
  let state: readonly string[] | undefined;

  const pathOf = (request: BuildRequest, entry: string, text: string): string => {
    state ??= makersState();
    const key = JSON.stringify([state, request.packages?.conditions, entry, text]);
    return join(folder, sha256Hex(key) + ending);
  };
  const names = (): string[] => {
    try {
      return readdirSync(folder).filter((name) => name.endsWith(ending));
    } catch {
      return [];
    }
  };
  /** The half that was written first. */
  function makeRoom(): void {
    const all = names();
    if (all.length < mostBuilds) return;
    const written = all.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
    for (const { name } of written.toSorted((a, b) => a.at - b.at).slice(0, mostBuilds / 2))
      rmSync(join(folder, name), { force: true });
  }

  return {
    get isEmpty() {
      return names().length === 0;
    },
    find(request) {
      try {
        if (!mayKeep(request)) return undefined;
        const sources = sourcesOf(request);
        const text = sources && textOf(sources, sources.entry);
        if (!sources || text === undefined) return undefined;
        const stored = JSON.parse(readFileSync(pathOf(request, sources.entry, text), "utf8")) as StoredBuild;
        return isAsBuilt(stored.basis, sources, realRootOf(request)) ? stored : undefined;
      } catch {
        // None is there, or files are not as they were: the build itself tells what is wrong.
        return undefined;
      }
    },
    keep(request, built) {
      const [entry] = built.files;
      if (!mayKeep(request) || !built.basis || entry === undefined || built.bundle.length > mostChars) return;
      try {
        const path = pathOf(request, entry, built.code);
        mkdirSync(folder, { recursive: true });
        makeRoom();
        const draft = `${path}.${process.pid}`;
        writeFileSync(draft, JSON.stringify(built));
        renameSync(draft, path);
      } catch {
        // Another process keeps it, or none does.
      }
    },
  };
}
