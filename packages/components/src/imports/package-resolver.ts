import { createRequire } from "node:module";
import { basename, sep } from "node:path";

import type { ResolverFactory } from "enhanced-resolve";

import { type Disk, unlessMissing } from "./disk.ts";
import { resolvesForNode } from "./resolved-for-node.ts";

type CreateResolver = typeof ResolverFactory.createResolver;
type Resolver = ReturnType<CreateResolver>;
type ResolverFileSystem = Parameters<CreateResolver>[0]["fileSystem"];

/** The conditions and fields of package.json to use. */
export type PackageConditions = "browser" | "node";
export type ImportForm = "import" | "require";

/** Resolves a specifier for a file in `folder` to a path; false when it is excluded on purpose. Throws when there is no file. */
export type ResolveFile = (form: ImportForm, folder: string, specifier: string) => string | false;

const notThere = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });

/**
 * Resolves as Node does, or as bundlers for browsers do; when Node finds nothing, tries the browser rules. Never looks outside
 * `confines`, and reads only `package.json` files.
 */
export function createResolveFile(
  disk: Disk,
  conditions: PackageConditions,
  confines: string | undefined,
  withTypeScript = false,
): ResolveFile {
  const confined = <T>(read: (path: string) => T): ((path: string) => T) => {
    const known = new Map<string, { readonly value: T } | { readonly error: unknown }>();
    const look = (path: string): { readonly value: T } | { readonly error: unknown } => {
      try {
        if (confines !== undefined && path !== confines && !path.startsWith(confines + sep)) throw notThere(path);
        return { value: read(path) };
      } catch (error) {
        return { error };
      }
    };
    return (path) => {
      const result = known.get(path) ?? look(path);
      known.set(path, result);
      if ("error" in result) throw result.error;
      return result.value;
    };
  };
  const fileSystem = {
    statSync: confined(disk.stat),
    lstatSync: confined(disk.lstat),
    // Parsed once: some are large, and every import reads them.
    readJsonSync: confined((path) => {
      if (basename(path) !== "package.json") throw notThere(path);
      return JSON.parse(disk.read(path)) as unknown;
    }),
    readlinkSync: confined(disk.readlink),
  };
  // Loaded on demand: a process that bundles no package does not need it.
  const load = createRequire(import.meta.url);
  const { createResolver } = (load("enhanced-resolve") as { ResolverFactory: typeof ResolverFactory }).ResolverFactory;
  const resolverFor = (form: ImportForm, conditions: PackageConditions): Resolver => {
    const isBrowser = conditions === "browser";
    return createResolver({
      // Only the methods for synchronous use.
      fileSystem: fileSystem as unknown as ResolverFileSystem,
      useSyncFileSystemCalls: true,
      // The caller follows links and checks their targets.
      symlinks: false,
      // Packages of components are in folders, also where those of this process are Yarn's Plug'n'Play.
      pnpApi: null,
      conditionNames: isBrowser ? [form, "module", "browser", "default"] : [form, "node", "module-sync", "default"],
      // Uses `browser` only as a map of files. As one file, it has fewer features than Node's entry, which works here.
      mainFields: isBrowser ? (form === "import" ? ["module", "main"] : ["main", "module"]) : ["main"],
      aliasFields: isBrowser ? ["browser"] : [],
      extensions: [".js", ".cjs", ".mjs", ".json", ...(withTypeScript ? [".ts", ".mts", ".cts", ".jsx", ".tsx"] : [])],
      // TypeScript authors import the file that the compiler would write.
      extensionAlias: withTypeScript
        ? {
            ".js": [".js", ".ts", ".tsx"],
            ".jsx": [".jsx", ".tsx"],
            ".mjs": [".mjs", ".mts"],
            ".cjs": [".cjs", ".cts"],
          }
        : {},
    });
  };
  const resolversFor = (conditions: PackageConditions): { readonly [form in ImportForm]: Resolver } => ({
    import: resolverFor("import", conditions),
    require: resolverFor("require", conditions),
  });
  const known = new Map<PackageConditions, ReturnType<typeof resolversFor>>();
  const resolversOf = (conditions: PackageConditions): ReturnType<typeof resolversFor> => {
    const made = known.get(conditions) ?? resolversFor(conditions);
    known.set(conditions, made);
    return made;
  };
  const find = (conditions: PackageConditions, form: ImportForm, folder: string, specifier: string): string | false => {
    const found = resolversOf(conditions)[form].resolveSync({}, folder, specifier);
    // The resolver escapes "#" and "?" in file names.
    return found === false || found === undefined ? false : found.replace(/\0(.)/g, "$1");
  };
  return (form, folder, specifier) => {
    const chosen = resolvesForNode(folder, specifier) ? "node" : conditions;
    try {
      return find(chosen, form, folder, specifier);
    } catch (error) {
      // Some packages are for bundlers only. A module that browsers exclude stays missing.
      const found = chosen === "node" && unlessMissing(() => find("browser", form, folder, specifier));
      if (typeof found === "string") return found;
      throw error;
    }
  };
}
