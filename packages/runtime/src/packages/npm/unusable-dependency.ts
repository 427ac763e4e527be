import pacote, { type Manifest } from "pacote";

import type { RootDependency } from "../messages.ts";
import type { NpmOptions } from "./npm-options.ts";
import { findManifestProblem } from "./malformed-manifest.ts";
import { findProblem, PackageProblem, textOf } from "./problem.ts";

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
