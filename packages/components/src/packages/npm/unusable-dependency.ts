import pacote, { type Manifest } from "pacote";

import type { RootDependency } from "../messages.ts";
import type { NpmOptions } from "./npm-options.ts";
import { findProblem, PackageProblem, textOf } from "./problem.ts";

/** The kind of a value, for a message "got …". */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const isText = (value: unknown): boolean => typeof value === "string";
/** npm treats a falsy value as absent. */
const isTexts = (value: unknown): boolean => !value || isText(value) || (Array.isArray(value) && value.every(isText));

/** Why npm's libraries would fail on a manifest; undefined when they accept it. They do not check it themselves. */
function findManifestProblem(manifest: Manifest): string | undefined {
  const { os, cpu, libc, acceptDependencies, dist } = manifest;
  const { name: packageName, version }: { readonly [field in "name" | "version"]: unknown } = manifest;
  for (const [field, value] of Object.entries({ name: packageName, version }))
    if (!isText(value)) return `"${field}" in its manifest must be a text, got ${kindOf(value)}`;
  for (const [field, value] of Object.entries({ os, cpu, libc }))
    if (!isTexts(value)) return `"${field}" in its manifest must be a text or a list of texts, got ${kindOf(value)}`;
  for (const [name, value] of Object.entries(acceptDependencies ?? {}))
    if (!isText(value))
      return `"acceptDependencies" in its manifest must give "${name}" a range as text, got ${kindOf(value)}`;
  const tarball: unknown = (dist as { readonly tarball?: unknown } | null | undefined)?.tarball;
  return isText(tarball)
    ? undefined
    : `"dist.tarball" in its manifest must be the address of its archive, got ${kindOf(tarball)}`;
}

/** True for a name such as `constructor`: npm's libraries look names up in plain objects, which inherit it. */
export const isUnusable = (name: string): boolean => name in {};

/** The message for such a name. */
export const unusableName = "npm cannot install a package of that name";

/** A manifest, or the problem with it; neither when the libraries have already reported an error. */
interface ReadManifest {
  readonly manifest?: Manifest;
  readonly problem?: string | undefined;
}

async function readManifest(specifier: string, options: NpmOptions): Promise<ReadManifest> {
  try {
    const manifest = await pacote.manifest(specifier, options);
    return { manifest, problem: findManifestProblem(manifest) };
  } catch (error) {
    return findProblem(error, []) ? {} : { problem: `npm cannot read its manifest (${textOf(error)})` };
  }
}

/**
 * The dependency whose name or manifest npm's libraries cannot use, with its importers; undefined when there is none. Reads
 * the manifests of at most `most` packages, which are already in the cache.
 */
export async function findUnusableDependency(
  roots: readonly RootDependency[],
  options: NpmOptions,
  most: number,
): Promise<PackageProblem | undefined> {
  const wanted = new Map(roots.map(({ name, spec, importer }) => [`${name}@${spec}`, [importer]]));
  for (const [specifier, above] of wanted) {
    const asked = { ...options, fullMetadata: true, preferOffline: true };
    const { manifest, problem } = await readManifest(specifier, asked);
    if (problem !== undefined) return new PackageProblem("refused", specifier.replace(/@latest$/, ""), above, problem);
    if (!manifest) continue;
    const { name: owner, dependencies, optionalDependencies, peerDependencies } = manifest;
    const chain = [...above, owner];
    for (const [name, spec] of Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (isUnusable(name)) return new PackageProblem("refused", name, chain, unusableName);
      if (typeof spec !== "string")
        return new PackageProblem("refused", name, chain, "its requested version is not a version, range or tag");
      const next = `${name}@${spec}`;
      if (!wanted.has(next) && wanted.size < most) wanted.set(next, chain);
    }
  }
  return undefined;
}
