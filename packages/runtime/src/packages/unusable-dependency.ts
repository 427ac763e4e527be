import pacote from "pacote";

import type { NpmOptions } from "./npm-options.ts";
import type { RootDependency } from "./plan.ts";
import { PackageProblem } from "./problem.ts";

/** npm's libraries look names up in plain objects, and take what every object has for something that a package says. */
export const isUnusable = (name: string): boolean => name in {};

/** Why such a name is refused. */
export const unusableName = "npm can install nothing of that name";

/**
 * The dependency that npm's libraries cannot take, with the way there; undefined when there is none. Looks at no more than
 * `most` packages; they have been fetched before.
 */
export async function findUnusableDependency(
  roots: readonly RootDependency[],
  options: NpmOptions,
  most: number,
): Promise<PackageProblem | undefined> {
  const wanted = new Map(roots.map(({ name, spec, importer }) => [`${name}@${spec}`, [importer]]));
  for (const [specifier, above] of wanted) {
    const asked = { ...options, fullMetadata: true, preferOffline: true };
    const manifest = await pacote.manifest(specifier, asked).catch(() => undefined);
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
