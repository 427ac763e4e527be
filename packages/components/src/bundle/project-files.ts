import { dirname, join } from "node:path";

import type { ComponentWarning } from "@x/model";
import { type Disk, unlessMissing } from "../imports/disk.ts";
import { createManifests, type Manifests, manifestsOnDisk, type ReadManifest } from "../imports/manifests.ts";
import { findTsConfig, type FoundTsConfig, type ReadInPackages } from "../imports/tsconfig.ts";
import type { BuildRequest } from "./bundle-messages.ts";
import { sentManifests } from "./sent-source.ts";

/** The package.json and tsconfig.json files of a component. */
export interface ProjectFiles {
  readonly manifests: Manifests | undefined;
  readonly tsconfig: FoundTsConfig;
}

const nothing: ReadInPackages = () => undefined;

/** Reads JSON files from the nearest `node_modules` at or above the root. */
const readInPackagesOf =
  (disk: Disk, root: string, maxBytes: number): ReadInPackages =>
  (path) => {
    for (let folder = root; ; folder = dirname(folder)) {
      const file = join(folder, "node_modules", path);
      const state = unlessMissing(() => disk.stat(file));
      if (state?.isFile() && state.size <= maxBytes) return disk.read(file);
      if (dirname(folder) === folder) return undefined;
    }
  };

function readersOf(
  request: BuildRequest,
  disk: Disk,
  root: string | undefined,
): [ReadManifest, ReadInPackages] | undefined {
  if ("sent" in request) return [sentManifests(new Map(request.sent)), nothing];
  if (root === undefined || !("file" in request)) return undefined;
  const { codeBytes } = request;
  return [manifestsOnDisk(disk, root, codeBytes), readInPackagesOf(disk, root, codeBytes)];
}

/** The project's files of a component; none for code that has no files beside it. */
export function projectFiles(request: BuildRequest, entry: string, disk: Disk, root: string | undefined): ProjectFiles {
  const readers = readersOf(request, disk, root);
  if (!readers) return { manifests: undefined, tsconfig: { looked: [] } };
  return { manifests: createManifests(readers[0]), tsconfig: findTsConfig(entry, ...readers) };
}

/** What may be the reason of an import that fails: settings that are not read. */
export function hintOf({ config }: FoundTsConfig): { readonly hint?: string } {
  const [hint] = config?.unread ?? [];
  return hint === undefined ? {} : { hint };
}

/** Warnings about what a tsconfig.json extends and is not read. */
export const tsConfigWarnings = ({ config }: FoundTsConfig): ComponentWarning[] =>
  (config?.unread ?? []).map((message) => ({
    rule: "tsconfig-not-read",
    path: "",
    message,
    file: config?.name ?? "",
    line: 1,
    column: 1,
  }));
