import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { UsageError } from "../given/usage-error.ts";
import type { Names } from "./render.ts";

/** What this reads of a package.json. */
export interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
}

/** The manifest of the project in a folder; undefined when there is no project. Throws `UsageError` for one that is no JSON. */
export function findManifest(folder: string): Manifest | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Manifest;
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : ""}`);
  }
}

/** Of the files of a new project those that one that is there needs for one more component. */
export function addedFiles(files: ReadonlyMap<string, string>, folder: string, { name }: Names): Map<string, string> {
  const isMissing = (file: string): boolean => file === "tsconfig.json" && !existsSync(join(folder, file));
  return new Map([...files].filter(([file]) => file.startsWith(`${name}.`) || isMissing(file)));
}

const packagesOf = ({ dependencies, devDependencies }: Manifest): { readonly [name: string]: string } => ({
  ...dependencies,
  ...devDependencies,
});

/** Packages that a project lacks beside another, as npm install takes them. */
export function lackingPackages(present: Manifest, wanted: Manifest): string[] {
  const known = packagesOf(present);
  return Object.entries(packagesOf(wanted)).flatMap(([name, version]) =>
    Object.hasOwn(known, name) ? [] : `${name}@${version}`,
  );
}
