import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import Arborist, { type Node, type Tree } from "@npmcli/arborist";
import pacote from "pacote";

import type { LockedPackage, PackageLock } from "@x/model";
import type { InstallQuestion, LockFile, RootDependency } from "../messages.ts";
import type { NpmOptions } from "./npm-options.ts";
import { isUnreachable, PackageProblem, textOf } from "./problem.ts";
import { isUnusable, unusableName } from "./unusable-dependency.ts";

const modules = "node_modules/";
const smaller =
  "import a package for the one part of the service that is needed, or a version with fewer dependencies, or call its HTTP API";
/** Fields of a lock file's entry that a later resolution or a reader of the lock needs. */
const lockFields = [
  ..."version name resolved integrity dependencies optionalDependencies peerDependencies".split(" "),
  ..."peerDependenciesMeta bundleDependencies inBundle optional peer hasInstallScript".split(" "),
];

/** Resolves the direct dependencies, starting from the lock. `outdated` folders get the current version of their specifier. */
export async function resolveTree(
  question: InstallQuestion,
  outdated: readonly string[],
  staging: string,
  options: NpmOptions,
): Promise<PackageLock> {
  const { lock, limits } = question;
  const roots = Object.values(question.roots);
  const unusable = roots.find(({ folder }) => isUnusable(folder));
  if (unusable) throw new PackageProblem("refused", unusable.name, [unusable.importer], unusableName);
  const dependencies = Object.fromEntries(roots.map((root) => [root.folder, specOf(root)]));
  await writeFile(join(staging, "package.json"), JSON.stringify({ dependencies }));
  if (lock) {
    const file: LockFile = { lockfileVersion: 3, packages: { "": { dependencies }, ...lock.packages } };
    await writeFile(join(staging, "package-lock.json"), JSON.stringify(file));
  }
  const build = (more: NpmOptions): Promise<Tree> =>
    new Arborist({ ...options, path: staging, ...more }).buildIdealTree(
      outdated.length > 0 ? { update: { names: outdated } } : {},
    );
  const tree = await buildWithFallbacks(build);
  const nodes = [...tree.inventory.values()].filter(({ isRoot }) => !isRoot);
  checkNodes(nodes, question, limits.count);
  const resolved = {
    requests: Object.fromEntries(
      Object.entries(question.roots).map(([specifier, { folder }]) => [specifier, modules + folder]),
    ),
    packages: Object.fromEntries(
      Object.entries(tree.meta.commit().packages)
        .filter(([folder]) => folder !== "")
        .map(([folder, entry]) => [folder, lockEntry(entry as LockedPackage)]),
    ),
  };
  checkLock(resolved, question);
  return resolved;
}

/** Characters of a lock as JSON, which the host reads and stores; with 1,500 packages it usually has 1 MB. */
const longestLock = 4 * 1024 * 1024;

/** What a package declares goes into the lock, and may be of any length. */
function checkLock(lock: PackageLock, { roots }: InstallQuestion): void {
  const sizes = Object.entries(lock.packages).map(([folder, entry]) => [folder, JSON.stringify(entry).length] as const);
  if (sizes.reduce((sum, [, size]) => sum + size, 0) <= longestLock) return;
  const [largest] = sizes.toSorted(([, one], [, other]) => other - one);
  const problem = `what its packages declare is longer than ${longestLock} characters, most of all in ${largest?.[0] ?? ""}`;
  const [first] = Object.values(roots);
  throw new PackageProblem("too_large", first?.name ?? "", [first?.importer ?? "component"], problem);
}

/** Resolves from the registry; from the cache if that is unreachable; without peer dependencies if they conflict. */
async function buildWithFallbacks(build: (more: NpmOptions) => Promise<Tree>): Promise<Tree> {
  try {
    return await build({ preferOnline: true });
  } catch (error) {
    if (isUnreachable(error)) {
      return build({ offline: true }).catch(() => {
        throw error;
      });
    }
    if (error instanceof Error && "code" in error && error.code === "ERESOLVE") return build({ legacyPeerDeps: true });
    throw error;
  }
}

/** A second version of a package has a folder with another name, which needs an alias. */
const specOf = ({ folder, name, spec }: RootDependency): string => (folder === name ? spec : `npm:${name}@${spec}`);

const lockEntry = (entry: LockedPackage): LockedPackage => ({
  version: entry.version,
  ...Object.fromEntries(Object.entries(entry).filter(([field]) => lockFields.includes(field))),
});

function checkNodes(nodes: readonly Node[], { roots }: InstallQuestion, count: number): void {
  const chainOf = (node: Node): string[] => {
    const above = new Set<Node>();
    const names: string[] = [];
    for (let at: Node | undefined = node; at && !above.has(at);) {
      above.add(at);
      const [edge]: readonly { readonly from: Node }[] = [...at.edgesIn];
      at = edge?.from;
      if (at && !at.isRoot) names.unshift(at.packageName);
    }
    return [Object.values(roots)[0]?.importer ?? "component", ...names];
  };
  if (nodes.length > count) {
    const [first] = Object.values(roots);
    const asked = Object.values(roots).map(({ name }) => name);
    const problem = `the component needs ${nodes.length} packages, and at most ${count} are allowed; ${smaller}`;
    throw new PackageProblem("too_large", asked.join(", "), [first?.importer ?? "component"], problem);
  }
  for (const node of nodes) {
    const address = node.resolved ?? "";
    if (!node.isLink && (address === "" || /^https?:\/\//.test(address))) continue;
    const problem = "it is not in a registry, and packages come from registries only";
    throw new PackageProblem("refused", node.packageName, chainOf(node), problem);
  }
}

/**
 * The folders of the specifiers to refresh whose current version is not the locked one. `offline`: why the registry could
 * not be reached; the locked versions then stay.
 */
export async function findOutdated(
  { roots, lock, refresh }: InstallQuestion,
  options: NpmOptions,
): Promise<{ readonly names: readonly string[]; readonly offline?: string }> {
  let offline: string | undefined;
  const looked = refresh.map(async (specifier) => {
    const root = roots[specifier];
    const folder = lock?.requests[specifier];
    if (!root || folder === undefined) return [];
    try {
      const current = await pacote.manifest(`${root.name}@${root.spec}`, { ...options, preferOnline: true });
      return current.version === lock?.packages[folder]?.version ? [] : [root.folder];
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      offline = textOf(error);
      return [];
    }
  });
  const names = (await Promise.all(looked)).flat();
  return { names, ...(offline !== undefined && { offline }) };
}
