import { isBuiltin } from "node:module";
import { dirname, extname, join, relative, sep } from "node:path";

import { originOf, specifierOf, type ComponentPackage } from "@x/model";
import { isInRange } from "../packages/version-range.ts";
import { type Disk, unlessMissing } from "./disk.ts";
import { type PackageFolder, packageFolderOf, readPackageFolder } from "./package-folder.ts";
import type { Declared } from "./manifests.ts";
import { createResolveFile, type ImportForm, type PackageConditions, type ResolveFile } from "./package-resolver.ts";
import type { PackageTrees } from "./package-trees.ts";
import { parsePackageSpecifier, type PackageSpecifier } from "./package-specifier.ts";
import { isResolvedForNode } from "./resolved-for-node.ts";

/** A language of a package's file, by the name that esbuild has for it. */
export type PackageLoader = "js" | "ts" | "jsx" | "tsx";

/** A file of a package that can be bundled. */
export interface PackageFile {
  /** Name of the package and path inside it, for stacks and messages. */
  readonly name: string;
  readonly path: string;
  /** Path inside the package, with forward slashes. */
  readonly subpath: string;
  /** Name and version of the package, and the path. Unlike `name`, it does not depend on the order of imports. */
  readonly id: string;
  readonly package: PackageFolder;
  /** True for a file in the author's `node_modules`. */
  readonly ofProject: boolean;
  /** True for an ES module whose name ends in `.js` or `.ts`. */
  readonly isModule: boolean;
  /** The language; only packages of the author's workspace have TypeScript and JSX. */
  readonly loader: PackageLoader;
}

export type AbsenceKind = "absent" | "native" | "refused";

/** The result of an import. */
export type PackageImport =
  | { readonly file: PackageFile }
  | { readonly builtin: string }
  /** Excluded by the package's `browser` map. */
  | { readonly ignored: true }
  /** Cannot be bundled: the import fails when it is executed, so that it can be optional. */
  | { readonly absent: string; readonly why: AbsenceKind };

export interface PackageSourceOptions {
  readonly disk: Disk;
  readonly conditions: PackageConditions;
  /** The installed packages: their folder, and the folder of each package by specifier. */
  readonly installed?:
    | { readonly folder: string; readonly requests: { readonly [specifier: string]: string } }
    | undefined;
  /** Folder of the author's component. The `node_modules` in and above it may be used. */
  readonly projectRoot?: string | undefined;
}

/** The packages of one build. Files are read by their real path, inside the folder of their package. */
export interface PackageSource {
  /**
   * Undefined: the package must be installed first. `importer`: name of the file in the root. `declared`: the version from a
   * package.json.
   */
  fromComponent(
    specifier: PackageSpecifier,
    form: ImportForm,
    importer: string,
    declared?: Declared,
  ): PackageImport | undefined;
  fromPackage(specifier: string, importer: PackageFile, form: ImportForm): PackageImport;
  /** The text of a file after `prepare`; cached for files that never change. */
  read(file: PackageFile, prepare: (text: string) => Promise<string>): Promise<string>;
  /** Used packages of the author's `node_modules`. */
  readonly ofProject: ReadonlyMap<string, ComponentPackage>;
}

const loadable = new Set([".js", ".cjs", ".mjs", ".json"]);
/** Of packages in the author's workspace also these, with esbuild's names. */
const ofWorkspace: ReadonlyMap<string, PackageLoader> = new Map<string, PackageLoader>([
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".jsx", "jsx"],
  [".tsx", "tsx"],
]);
/** Packages that load a compiled file from the disk. */
const nativeLoaders = new Set([
  "bindings",
  "node-gyp-build",
  "@mapbox/node-pre-gyp",
  "node-pre-gyp",
  "prebuild-install",
]);
const nativeReason = "it is compiled for one kind of machine, and components run in a sandbox that has none";

/** Refuses a compiled package that the component itself imports; in packages, compiled parts may be optional. */
const unlessCompiled = (found: PackageImport): PackageImport =>
  "file" in found && found.file.package.isCompiled ? { absent: nativeReason, why: "native" } : found;

/** True when an installed package satisfies a version. */
function satisfies(folder: PackageFolder, name: string, spec: string): boolean {
  const [, target = name, range = spec] = /^npm:(.+)@([^@]+)$/.exec(spec) ?? [];
  return (target === name || folder.name === target) && isInRange(folder.version, range);
}

const inside = (folder: string, path: string): boolean => path.startsWith(folder + sep);

/** The files of packages, each looked at once; `tree`: the folder of the installed ones. */
function createPackageFiles(disk: Disk, tree: string | undefined) {
  const folders = new Map<string, PackageFolder | undefined>();
  const files = new Map<string, PackageImport>();
  const names = new Map<string, string>();
  const ofProject = new Map<string, ComponentPackage>();

  function folderAt(path: string): PackageFolder | undefined {
    if (!folders.has(path)) folders.set(path, readPackageFolder(disk, path));
    return folders.get(path);
  }

  /** The second folder of a package shows its version. */
  function shownName({ folder, name, version }: PackageFolder): string {
    const holder = names.get(name);
    if (holder === undefined) names.set(name, folder);
    return holder === undefined || holder === folder ? name : `${name}@${version}`;
  }

  /** The file, if its real path is in the folder of an allowed package. */
  function look(found: string, linked: string | undefined, isOfProject: boolean): PackageImport {
    const path = disk.realpath(found);
    // A linked package of the author's workspace is not in node_modules.
    const nearest = packageFolderOf(path);
    const isLinked =
      linked !== undefined && inside(linked, path) && (nearest === undefined || !inside(linked, nearest));
    const folder = isLinked ? linked : nearest;
    const owner = folder === undefined ? undefined : folderAt(folder);
    if (!owner || !inside(owner.folder, path) || (!isOfProject && (tree === undefined || !inside(tree, path))))
      return { absent: "it leads out of the packages of the component", why: "refused" };
    const extension = extname(path);
    const subpath = relative(owner.folder, path).split(sep).join("/");
    const id = `${owner.name}@${owner.version}/${subpath}`;
    const name = `${shownName(owner)}/${subpath}`;
    if (extension === ".node") return { absent: nativeReason, why: "native" };
    // As in Node, packages in node_modules have no TypeScript; those of the author's workspace are elsewhere.
    const isOfWorkspace = isOfProject && packageFolderOf(path) === undefined;
    const loader = loadable.has(extension) ? "js" : isOfWorkspace ? ofWorkspace.get(extension) : undefined;
    if (loader === undefined)
      return { absent: `"${name}" is not a .js, .cjs, .mjs or .json file, and only these are bundled`, why: "refused" };
    if (isOfProject && !ofProject.has(owner.folder)) {
      const { name: packageName, version } = owner;
      ofProject.set(owner.folder, { name: packageName, version, integrity: null });
    }
    const isModule = [".js", ".ts", ".jsx", ".tsx"].includes(extension) && owner.isModule(path);
    return { file: { name, path, subpath, id, package: owner, ofProject: isOfProject, isModule, loader } };
  }

  /** What an import leads to. `linked`: a folder outside of node_modules that it may lead to. */
  function resolve(
    resolveFile: ResolveFile,
    form: ImportForm,
    folder: string,
    specifier: string,
    { linked, isOfProject }: { readonly linked?: string | undefined; readonly isOfProject: boolean },
  ): PackageImport {
    try {
      const found = resolveFile(form, folder, specifier);
      if (found === false) return { ignored: true };
      // Many files of a package import the same files.
      const id = `${isOfProject ? "own" : ""}\n${linked ?? ""}\n${found}`;
      const known = files.get(id) ?? look(found, linked, isOfProject);
      files.set(id, known);
      return known;
    } catch (error) {
      return { absent: reasonOf(error), why: "absent" };
    }
  }

  return { ofProject, folderAt, resolve };
}

export function createPackageSource(options: PackageSourceOptions, trees: PackageTrees): PackageSource {
  const { disk, conditions, installed, projectRoot } = options;
  const tree = installed && disk.realpath(installed.folder);
  const resolveInTree = tree === undefined ? undefined : trees.resolver(tree, conditions);
  let ofProjects: ResolveFile | undefined;
  const resolveInProject: ResolveFile = (...asked) =>
    (ofProjects ??= createResolveFile(disk, conditions, undefined, true))(...asked);
  const { folderAt, resolve, ofProject } = createPackageFiles(disk, tree);

  /** A package of the author's `node_modules`: the nearest installation at or above the importer's folder. */
  function fromProject(
    { name, spec: written, subpath }: PackageSpecifier,
    form: ImportForm,
    importer: string,
    declared: Declared | undefined,
  ): PackageImport | undefined {
    if (projectRoot === undefined) return undefined;
    const spec = written ?? declared?.spec;
    const from = dirname(join(projectRoot, importer));
    const parent = findUpwards(from, (each) => folderAt(join(each, "node_modules", name)) !== undefined);
    const folder = parent === undefined ? undefined : folderAt(join(parent, "node_modules", name));
    if (parent === undefined || !folder) return undefined;
    if (!declared?.takesInstalled && spec !== undefined && !satisfies(folder, name, spec)) return undefined;
    const where = { linked: folder.folder, isOfProject: true };
    const found = resolve(resolveInProject, form, parent, withSubpath(name, subpath), where);
    const known = ofProject.get(folder.folder);
    const origin = originOf({ name, ...(spec !== undefined && { spec }), ...(declared && { declared }) });
    const source = origin.from === "latest" ? "node_modules" : origin.from;
    if (known) ofProject.set(folder.folder, { ...known, ...origin, ...(source && { from: source }) });
    return subpath === "" ? withoutEntry(found, folder) : found;
  }

  /** A package that was installed for the component. */
  function fromTree(
    { name, spec, subpath }: PackageSpecifier,
    form: ImportForm,
    declared: Declared | undefined,
  ): PackageImport | undefined {
    const wanted = spec ?? declared?.spec;
    const requests = installed?.requests ?? {};
    const specifier = specifierOf({ name, ...(wanted !== undefined && { spec: wanted }) });
    const path = Object.hasOwn(requests, specifier) ? requests[specifier] : undefined;
    if (path === undefined || tree === undefined || !resolveInTree) return undefined;
    const folder = path.slice("node_modules/".length);
    const found = resolve(resolveInTree, form, tree, withSubpath(folder, subpath), { isOfProject: false });
    return subpath === "" ? withoutEntry(found, folderAt(join(tree, path))) : found;
  }

  /** The real path of the nearest `node_modules` entry of that name. */
  function linkedFolder(from: string, name: string): string | undefined {
    const entryIn = (folder: string): string => join(folder, "node_modules", name);
    const parent = findUpwards(from, (each) => unlessMissing(() => disk.stat(entryIn(each)))?.isDirectory() === true);
    return parent === undefined ? undefined : disk.realpath(entryIn(parent));
  }

  return {
    ofProject,
    fromComponent(specifier, form, importer, declared) {
      const found = fromProject(specifier, form, importer, declared) ?? fromTree(specifier, form, declared);
      return found && unlessCompiled(found);
    },
    fromPackage(written, importer, form) {
      const { folder, browser, name } = importer.package;
      // `__dirname + "/file"`: in a bundle every folder is "/".
      const specifier = written.startsWith("//") ? `.${written.slice(1)}` : written;
      const isMapped = conditions === "browser" && Object.hasOwn(browser, specifier) && !isResolvedForNode(name);
      if (!isMapped && isBuiltin(specifier)) return { builtin: specifier.replace(/^node:/, "") };
      const mapped = browser[specifier];
      if (isMapped && typeof mapped === "string" && isBuiltin(mapped)) return { builtin: mapped.replace(/^node:/, "") };
      if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(specifier))
        return { absent: "packages import packages and their own files only", why: "refused" };
      const parsed = parsePackageSpecifier(specifier);
      if (parsed && nativeLoaders.has(parsed.name)) return { absent: nativeReason, why: "native" };
      const resolver = importer.ofProject ? resolveInProject : resolveInTree;
      if (!resolver) return { absent: "its packages are not there", why: "absent" };
      const linked = parsed && importer.ofProject ? linkedFolder(dirname(importer.path), parsed.name) : folder;
      const where = { linked, isOfProject: importer.ofProject };
      return resolve(resolver, form, dirname(importer.path), specifier, where);
    },
    read: ({ path, ofProject: mayChange }, prepare) => {
      const read = (): Promise<string> => prepare(disk.read(path));
      return mayChange ? read() : trees.code(path, read);
    },
  };
}

const withSubpath = (name: string, subpath: string): string => (subpath === "" ? name : `${name}/${subpath}`);

/** The nearest folder at or above one. */
function findUpwards(from: string, matches: (folder: string) => boolean): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (matches(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

const notThere = "there is no such file or package";

/** Names the missing entry file of a package that is installed. */
function withoutEntry(found: PackageImport, folder: PackageFolder | undefined): PackageImport {
  if (!folder || !("absent" in found) || found.absent !== notThere) return found;
  const why =
    folder.main === undefined
      ? "its package.json names none, and it has no index.js"
      : `its package.json names "${folder.main}", which is not there; was the package built?`;
  return { ...found, absent: `the package is installed and has no entry file: ${why}` };
}

/** The resolver's reason without the paths that it tried, which belong to this machine. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  const unbuilt = /^Package path (\S+) is exported .*but no valid target file was found/.exec(text)?.[1];
  if (unbuilt !== undefined)
    return `the package exports "${unbuilt}" from a file that is not there; was the package built?`;
  const exported = /"([^\s"]+)" is not exported/.exec(text)?.[1];
  return exported === undefined ? notThere : `the package does not export "${exported}" to browsers or Node`;
}
