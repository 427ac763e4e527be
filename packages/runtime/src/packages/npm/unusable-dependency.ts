import pacote, { type Manifest } from "pacote";

import type { RootDependency } from "../messages.ts";
import type { NpmOptions } from "./npm-options.ts";
import { findProblem, PackageProblem, textOf } from "./problem.ts";

/** The kind of a value, after "got". */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const isText = (value: unknown): boolean => typeof value === "string";
/** npm takes what counts as false for what is not there. */
const isTexts = (value: unknown): boolean => !value || isText(value) || (Array.isArray(value) && value.every(isText));

/** Why npm's libraries cannot work with what a package says of itself; undefined where they can. They look at none of it. */
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

/** npm's libraries look names up in plain objects, and take what every object has for something that a package says. */
export const isUnusable = (name: string): boolean => name in {};

/** Why such a name is refused. */
export const unusableName = "npm can install nothing of that name";

interface Read {
  /** Neither: it cannot be had, as the libraries have told themselves. */
  readonly manifest?: Manifest;
  readonly problem?: string | undefined;
}

async function readManifest(specifier: string, options: NpmOptions): Promise<Read> {
  try {
    const manifest = await pacote.manifest(specifier, options);
    return { manifest, problem: findManifestProblem(manifest) };
  } catch (error) {
    return findProblem(error, []) ? {} : { problem: `npm cannot read its manifest (${textOf(error)})` };
  }
}

/**
 * The dependency that npm's libraries cannot take, or whose manifest they cannot, with the way there; undefined when there
 * is none. Looks at no more than `most` packages; they have been fetched before.
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
        return new PackageProblem("refused", name, chain, "what is asked of it is no version, range or tag");
      const next = `${name}@${spec}`;
      if (!wanted.has(next) && wanted.size < most) wanted.set(next, chain);
    }
  }
  return undefined;
}
