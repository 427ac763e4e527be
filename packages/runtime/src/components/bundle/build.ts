import { build as esbuild, type BuildOptions, type BuildResult, type Message, type Plugin } from "esbuild";

import { sha256Hex } from "../../process/sha256.ts";
import type { ComponentPackage } from "../../model/package-lock.ts";
import type { PackageRequest } from "../../packages/contract.ts";
import type {
  BuildBasis,
  BuildPackages,
  BuildReply,
  BuildRequest,
  ImportLink,
  UnresolvedImport,
} from "./bundle-messages.ts";
import { asyncFormat, asyncPlugins, findAwaits, shownAsync } from "./async-bundle.ts";
import { bundleProblem, isBuildFailure } from "./bundle-problem.ts";
import { parserDetail } from "./check-imports.ts";
import { typesOnlyModules, virtualModules } from "../imports/import-policy.ts";
import { instrumentedSource } from "./instrument.ts";
import type { AbsentImport, MissingFile } from "../contract.ts";
import { stubPrefix } from "../imports/absent-import.ts";
import { type Disk, disk, witnessDisk } from "../imports/disk.ts";
import { dynamicImports, shownDynamic } from "../imports/dynamic-import.ts";
import { createManifests, type Manifests } from "../imports/manifests.ts";
import { fetchedSource } from "./fetched-source.ts";
import { type PackageModules, packageModules } from "../imports/package-plugin.ts";
import { createPackageSource } from "../imports/package-source.ts";
import { createPackageTrees, type PackageTrees } from "../imports/package-trees.ts";
import { nameOfId } from "../imports/node-format.ts";
import type { ParsedModules } from "./parsed-modules.ts";
import { componentNamespace, type FileTrail, type Noted, sourcePlugin } from "./source-plugin.ts";
import { candidates, fileSource, type FileSet, textSource, type Refused, type SourceSet } from "./source-set.ts";

/** What a build took from packages. */
interface UsedPackages {
  readonly ofProject: readonly ComponentPackage[];
  readonly absent: readonly AbsentImport[];
  /** Tells the packages from other versions of them; empty when there is none. */
  readonly hash: string;
}

/** What one build leaves for the next; none of it changes what is built. */
export interface KeptForBuilds {
  readonly trees: PackageTrees;
  readonly parsed?: ParsedModules;
}

type Attempt =
  | {
      readonly inputs: ReadonlyMap<string, string>;
      readonly bundle: string;
      readonly sourceMap: string;
      readonly packages: UsedPackages;
      readonly awaits: readonly string[];
    }
  | { readonly missing: readonly MissingFile[] }
  | { readonly needed: readonly PackageRequest[] }
  | { readonly errors: readonly Message[] };

/** Builds one component; `workingDirectory` is where esbuild starts, nothing is read from there. Rejects when esbuild itself fails. */
export async function build(
  request: BuildRequest,
  workingDirectory: string,
  kept: KeptForBuilds = { trees: createPackageTrees() },
): Promise<BuildReply> {
  const given = sourceOf(request);
  if ("refused" in given) {
    const name = "file" in request ? request.file : "";
    return { kind: "failed", name, problems: [{ path: "", message: given.refused }] };
  }
  const instrument = "file" in request ? request.instrument : undefined;
  const sources =
    "file" in request && instrument !== undefined
      ? await instrumentedSource(given, { module: instrument, file: request.file, root: request.root })
      : given;
  // The folder whose `node_modules` a component may use: only one that is deployed by its file has any.
  const projectRoot = "root" in given ? given.root : undefined;
  // What is installed may be gone without being looked at.
  const witness =
    projectRoot === undefined || request.packages?.installed || instrument !== undefined
      ? undefined
      : witnessDisk(projectRoot);
  const packages = request.packages && { ...request.packages, projectRoot, disk: witness?.disk ?? disk };
  const trail: FileTrail = { texts: new Map(), links: new Map() };
  const manifests =
    packages && projectRoot !== undefined && "file" in request
      ? createManifests(packages.disk, projectRoot, request.codeBytes)
      : undefined;
  const attempt = await buildAsJavaScriptOrTypeScript(sources, {
    workingDirectory,
    packages,
    kept,
    trail,
    manifests,
  });
  if ("errors" in attempt) {
    const unresolved = attempt.errors.some(isParserMessage) ? undefined : findUnresolved(attempt.errors);
    return {
      kind: "failed",
      name: sources.entry,
      ...(unresolved && { unresolved }),
      problems: attempt.errors.map((message) => bundleProblem(message, `${componentNamespace}:`)),
    };
  }
  if ("missing" in attempt) return { kind: "missing", missing: attempt.missing };
  if ("needed" in attempt) return { kind: "needed", needed: attempt.needed };
  const { ofProject, absent, hash } = attempt.packages;
  const hashes = hashesOf(trail.texts);
  const links = projectRoot === undefined ? [] : [...trail.links.values()];
  return {
    kind: "built",
    bundle: attempt.bundle,
    sourceMap: attempt.sourceMap,
    code: attempt.inputs.get(sources.entry) ?? "",
    contentHash: contentHash([...attempt.inputs.keys()], hashes, links, hash),
    ofProject,
    absent,
    ...(attempt.awaits.length > 0 && { awaits: attempt.awaits }),
    links,
    manifests: [...(manifests?.looked ?? [])],
    ...(witness && { basis: { hashes, ...witness.seen() } }),
    files: [sources.entry, ...[...attempt.inputs.keys()].filter((name) => name !== sources.entry).sort()],
  };
}

function sourceOf(request: BuildRequest): SourceSet | FileSet | Refused {
  if ("code" in request) return textSource(request.code, request.codeBytes);
  if ("file" in request) return fileSource(request.file, request.root, request.codeBytes);
  return fetchedSource({ entry: request.entry, texts: new Map(request.texts), links: new Map(request.links) });
}

/** JavaScript unless only TypeScript can read it: the same text may mean different things in the two. */
async function buildAsJavaScriptOrTypeScript(sources: SourceSet, settings: BuildSettings): Promise<Attempt> {
  const javascript = await attemptBuild(sources, "js", settings);
  if (!("errors" in javascript) || !javascript.errors.some(isParserMessage)) return javascript;
  const typescript = await attemptBuild(sources, "ts", settings);
  return "errors" in typescript && typescript.errors.some(isParserMessage) ? javascript : typescript;
}

interface BuildSettings {
  /** Where esbuild starts; nothing is read from there. */
  readonly workingDirectory: string;
  readonly packages: (BuildPackages & { readonly projectRoot: string | undefined; readonly disk: Disk }) | undefined;
  readonly trail: FileTrail;
  readonly manifests: Manifests | undefined;
  readonly kept: KeptForBuilds;
  readonly minify?: boolean;
  /** Where something is awaited at the top level. */
  readonly awaits?: readonly string[];
}

async function attemptBuild(sources: SourceSet, loader: "js" | "ts", settings: BuildSettings): Promise<Attempt> {
  const { trail, manifests } = settings;
  const noted: Noted = { inputs: new Map(), missing: new Map(), needed: new Map(), trail, declared: new Map() };
  const source = settings.packages && createPackageSource(settings.packages, settings.kept.trees);
  const modules = source && packageModules(source);
  const own = sourcePlugin(
    sources,
    loader,
    noted,
    source && modules && { source, modules, manifests, whole: isMinified(settings) },
  );
  try {
    const plugins = modules ? [dynamicImports, modules.plugin, own] : [dynamicImports, own];
    const { outputFiles, warnings } = await run(options(plugins, settings), settings);
    const errors = warnings.filter(isOfComponent);
    if (errors.length > 0) return { errors };
    if (noted.missing.size > 0) return { missing: [...noted.missing.values()] };
    if (noted.needed.size > 0) return { needed: [...noted.needed.values()] };
    const hasPackages = modules !== undefined && modules.files.size > 0;
    // Small code of one's own stays readable; packages, which were left out so far, count.
    if (hasPackages && !isMinified(settings)) return attemptBuild(sources, loader, { ...settings, minify: true });
    const { inputs } = noted;
    const [sourceMap = "", bundle = ""] = [".map", ".js"].map(
      (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text,
    );
    return {
      inputs,
      awaits: settings.awaits ?? [],
      bundle,
      sourceMap: authorSourceMap(sourceMap, inputs, modules),
      packages: {
        ofProject: [...(source?.ofProject.values() ?? [])],
        absent: modules?.absences ?? [],
        hash: hasPackages ? withDeclared(modules.hash(settings.packages?.installed?.key), noted.declared) : "",
      },
    };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    const awaits = settings.awaits ? [] : findAwaits(error.errors, `${componentNamespace}:`);
    if (awaits.length > 0) return attemptBuild(sources, loader, { ...settings, awaits });
    return { errors: error.errors };
  }
}

/** Packages are the same in many components, and most of what there is to parse. */
function run(
  options: BuildOptions & { write: false },
  settings: BuildSettings,
): Promise<BuildResult<{ write: false }>> {
  const { parsed } = settings.kept;
  return parsed && isMinified(settings) && !settings.awaits ? parsed.build(options) : esbuild(options);
}

/** The same packages for another reason are another component: it shows the reason. */
function withDeclared(hash: string, declared: Noted["declared"]): string {
  if (declared.size === 0) return hash;
  return sha256Hex(JSON.stringify([hash, [...declared.values()].map((each) => JSON.stringify(each)).toSorted()]));
}

/** What was installed is used; the author's own `node_modules` may not be. */
const isMinified = ({ minify = false, packages }: BuildSettings): boolean =>
  minify || packages?.installed !== undefined;

/**
 * QuickJS counts lines from the very start of the text for each implicit function of a class, those of fields and of static
 * blocks, and `keepNames` writes a static block into every class: the time to parse grows with the square of the size.
 */
const quicklyParsed = { "class-field": false, "class-static-field": false, "class-static-blocks": false };

/** What stays outside of the bundle is required, in every form of import. */
const builtinsRequired = { "dynamic-import": false };

function options(plugins: Plugin[], settings: BuildSettings): BuildOptions & { write: false } {
  const common = commonOptions(settings);
  if (!settings.awaits) return { ...common, plugins };
  return {
    ...common,
    ...asyncFormat,
    define: { ...common.define, ...asyncFormat.define },
    plugins: asyncPlugins(plugins),
  };
}

const commonOptions = (settings: BuildSettings): BuildOptions & { write: false } => ({
  entryPoints: ["component"],
  bundle: true,
  write: false,
  outfile: "bundle.js",
  absWorkingDir: settings.workingDirectory,
  format: "cjs",
  // Of what this decides, all is said here; for Node, esbuild would list the names of exports once more.
  platform: "browser",
  target: "es2022",
  supported: isMinified(settings) ? { ...quicklyParsed, ...builtinsRequired } : builtinsRequired,
  keepNames: true,
  minify: isMinified(settings),
  charset: "utf8",
  legalComments: "none",
  sourcemap: "external",
  sourcesContent: false,
  define: {
    "process.env.NODE_ENV": '"production"',
    // Packages ask where they lie; in a sandbox everything lies nowhere.
    __dirname: '"/"',
    __filename: '"/index.js"',
  },
  tsconfigRaw: {},
  nodePaths: [],
  logLevel: "silent",
  logLimit: 20,
  // What would be left for run time can only fail there: an error in a component, but packages do without.
  logOverride: { "unsupported-dynamic-import": "warning", "unsupported-require-call": "warning" },
});

const isOfComponent = ({ id, location }: Message): boolean =>
  /^unsupported-(?:dynamic-import|require-call)$/.test(id) &&
  location?.file.startsWith(`${componentNamespace}:`) === true;

/** Messages of the plugin stand for what it refused; all others are esbuild's own reading of the code. */
const isParserMessage = ({ pluginName, detail }: Message): boolean => pluginName === "" || detail === parserDetail;

const findUnresolved = (errors: readonly Message[]): UnresolvedImport | undefined =>
  errors.map(({ detail }) => detail as UnresolvedImport | undefined).find((detail) => detail?.package !== undefined);

/**
 * SHA-256 over the code alone when there is one file and no package, else over names, contents, and packages. What imports
 * lead to follows from the names, unless links of the file system lead elsewhere.
 */
function contentHash(
  names: readonly string[],
  hashes: BuildBasis["hashes"],
  links: readonly ImportLink[],
  packages: string,
): string {
  const [first, ...others] = names;
  if (first !== undefined && others.length === 0 && packages === "") return hashes[first] ?? "";
  const lines = names.toSorted().map((name) => `${JSON.stringify(name)} ${hashes[name] ?? ""}\n`);
  const known = new Set(names);
  const led = links
    .filter(
      ([specifier, importer, name]) => name !== [...candidates(specifier, importer)].find((each) => known.has(each)),
    )
    .map(([specifier, importer, name]) => `${JSON.stringify([importer, specifier, name])}\n`);
  return sha256Hex(lines.join("") + led.toSorted().join("") + packages);
}

const hashesOf = (inputs: ReadonlyMap<string, string>): { readonly [name: string]: string } =>
  Object.fromEntries([...inputs].map(([name, text]) => [name, sha256Hex(text)]));

/** The map with sources named as the author's; one that this build did not read cannot be in it. */
function authorSourceMap(text: string, inputs: ReadonlyMap<string, string>, modules?: PackageModules): string {
  const map = JSON.parse(text) as { sources: string[] };
  const shownName = (source: string): string =>
    shownDynamic(source) ??
    shownAsync(source) ??
    modules?.shownName(source) ??
    nameOfId(source.slice(source.indexOf(":") + 1));
  const sources = map.sources.map(shownName);
  const stranger = sources.find(
    (source) =>
      !inputs.has(source) &&
      !virtualModules.has(source) &&
      !typesOnlyModules.has(source) &&
      !source.startsWith(stubPrefix) &&
      modules?.files.has(source) !== true,
  );
  if (stranger !== undefined) throw new Error(`The source map names "${stranger}", which is no input.`);
  // The author's own texts, to name what an error is about; those of packages would be more than the code itself.
  const sourcesContent = sources.map((source) => (source.endsWith(".json") ? null : (inputs.get(source) ?? null)));
  return JSON.stringify({ ...map, sources, sourcesContent });
}
