import {
  build as esbuild,
  type BuildOptions,
  type BuildResult,
  type Message,
  type OutputFile,
  type Plugin,
} from "esbuild";

import type { ComponentPackage } from "@x/model";
import type { PackageRequest } from "../packages/contract.ts";
import type { BuildPackages, BuildReply, BuildRequest, UnresolvedImport } from "./bundle-messages.ts";
import { asyncFormat, asyncPlugins, findAwaits, shownAsync } from "./async-bundle.ts";
import { bundleProblem, isBuildFailure } from "./bundle-problem.ts";
import { contentHash, hashesOf, settingsHash, withDeclared } from "./content-hash.ts";
import { parserDetail } from "./check-imports.ts";
import { typesOnlyModules, virtualModules } from "../imports/import-policy.ts";
import { importMetaWarnings } from "./import-meta.ts";
import { instrumentedSource } from "./instrument.ts";
import type { AbsentImport, Bundled, MissingFile } from "../contract.ts";
import { stubPrefix } from "../imports/absent-import.ts";
import { type Disk, disk, type RecordedDisk, recordDisk } from "../imports/disk.ts";
import { createMappedImports } from "../imports/mapped-imports.ts";
import { hintOf, type ProjectFiles, projectFiles, tsConfigWarnings } from "./project-files.ts";
import { dynamicImports, shownDynamic } from "../imports/dynamic-import.ts";
import { fetchedSource } from "./fetched-source.ts";
import { sentSource } from "./sent-source.ts";
import { type PackageModules, packageModules } from "../imports/package-plugin.ts";
import { createPackageSource } from "../imports/package-source.ts";
import { createPackageTrees, type PackageTrees } from "../imports/package-trees.ts";
import { nameOfId } from "../imports/node-format.ts";
import type { ParsedModules } from "./parsed-modules.ts";
import { createSeparateModules, createSizeLimit, maxBundledChars } from "./separate-modules.ts";
import { componentNamespace, type FileTrail, type BuildFindings, sourcePlugin } from "./source-plugin.ts";
import { fileSource, type FileSet, textSource, type Refused, type SourceSet } from "./source-set.ts";

/** The packages that a build used. */
interface UsedPackages {
  readonly ofProject: readonly ComponentPackage[];
  readonly absent: readonly AbsentImport[];
  /** A hash of the packages and their versions; empty without packages. */
  readonly hash: string;
}

/** Caches shared by builds. They do not change the result. */
export interface BuildCaches {
  readonly trees: PackageTrees;
  readonly parsed?: ParsedModules;
  /** Characters of packages beyond which their large modules are minified alone; default `maxBundledChars`. */
  readonly maxBundledChars?: number;
  /** Called when a large build does not need esbuild any more. */
  releaseEsbuild?(): void;
}

type Attempt =
  | {
      readonly inputs: ReadonlyMap<string, string>;
      readonly bundle: string;
      readonly sourceMap: string;
      readonly packages: UsedPackages;
      readonly awaits: readonly string[];
      readonly isLarge: boolean;
    }
  | { readonly missing: readonly MissingFile[] }
  | { readonly needed: readonly PackageRequest[] }
  | { readonly errors: readonly Message[] };

/** Builds one component. esbuild starts in `workingDirectory`, but reads nothing from it. Rejects when esbuild itself fails. */
export async function build(
  request: BuildRequest,
  workingDirectory: string,
  caches: BuildCaches = { trees: createPackageTrees() },
): Promise<BuildReply> {
  const given = sourceOf(request);
  if ("refused" in given)
    return failed("file" in request ? request.file : "entry" in request ? request.entry : "", given.refused);
  const instrument = "file" in request ? request.instrument : undefined;
  const sources =
    "file" in request && instrument !== undefined
      ? await instrumentedSource(given, { module: instrument, file: request.file, root: request.root })
      : given;
  // Only a component that is deployed by its file may use a `node_modules` folder.
  const projectRoot = "root" in given ? given.root : undefined;
  // No record with installed packages: they may be evicted without a trace on the disk.
  const recorder =
    projectRoot === undefined || request.packages?.installed || instrument !== undefined
      ? undefined
      : recordDisk(projectRoot);
  const files = recorder?.disk ?? disk;
  const packages = request.packages && { ...request.packages, projectRoot, disk: files };
  const trail: FileTrail = { texts: new Map(), links: new Map(), mapped: new Map(), warnings: new Map() };
  const project = projectFiles(request, sources.entry, files, projectRoot);
  if (project.tsconfig.problem !== undefined) return failed(sources.entry, project.tsconfig.problem);
  const settings = { workingDirectory, packages, caches, trail, project };
  const attempt = await buildAsJavaScriptOrTypeScript(sources, settings);
  return replyTo(attempt, settings, { entry: sources.entry, projectRoot, recorder });
}

const failed = (name: string, message: string): BuildReply => ({
  kind: "failed",
  name,
  problems: [{ path: "", message }],
});

/** The reply of a build whose last attempt ended so. */
function replyTo(
  attempt: Attempt,
  { trail, project }: BuildSettings,
  build: {
    readonly entry: string;
    readonly projectRoot: string | undefined;
    readonly recorder: RecordedDisk | undefined;
  },
): BuildReply {
  const { entry, projectRoot, recorder } = build;
  const hint = hintOf(project.tsconfig);
  if ("errors" in attempt) {
    const unresolved = attempt.errors.some(isParserMessage) ? undefined : findUnresolved(attempt.errors);
    const problems = attempt.errors.map((message) => bundleProblem(message, `${componentNamespace}:`));
    return { kind: "failed", name: entry, ...(unresolved && { unresolved }), ...hint, problems };
  }
  if ("missing" in attempt) return { kind: "missing", missing: attempt.missing };
  const { config, looked } = project.tsconfig;
  const seen = (names: Iterable<string>): Pick<Bundled, "files" | "tsconfig"> & { manifests: string[] } => ({
    files: [entry, ...[...names].filter((name) => name !== entry).sort()],
    manifests: [...new Set([...(project.manifests?.looked ?? []), ...looked])],
    ...(config && { tsconfig: { name: config.name, text: config.text } }),
  });
  if ("needed" in attempt) return { kind: "needed", needed: attempt.needed, ...seen(trail.texts.keys()), ...hint };
  const warnings = [...tsConfigWarnings(project.tsconfig), ...trail.warnings.values()];
  const { ofProject, absent, hash } = attempt.packages;
  const hashes = hashesOf(trail.texts);
  const links = projectRoot === undefined ? [] : [...trail.links.values()];
  return {
    kind: "built",
    bundle: attempt.bundle,
    sourceMap: attempt.sourceMap,
    code: attempt.inputs.get(entry) ?? "",
    contentHash: contentHash([...attempt.inputs.keys()], hashes, links, hash + settingsHash(trail, config)),
    ofProject,
    absent,
    ...(attempt.awaits.length > 0 && { awaits: attempt.awaits }),
    ...(attempt.isLarge && { isLarge: true }),
    links,
    ...(warnings.length > 0 && { warnings }),
    ...(recorder && { basis: { hashes, ...recorder.record() } }),
    ...seen(attempt.inputs.keys()),
  };
}

function sourceOf(request: BuildRequest): SourceSet | FileSet | Refused {
  if ("code" in request) return textSource(request.code, request.codeBytes);
  if ("file" in request) return fileSource(request.file, request.root, request.codeBytes);
  if ("sent" in request) return sentSource(request.entry, new Map(request.sent), request.codeBytes);
  return fetchedSource({ entry: request.entry, texts: new Map(request.texts), links: new Map(request.links) });
}

/** Parses as TypeScript only what is not valid JavaScript: the same text may mean different things in the two. */
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
  readonly project: ProjectFiles;
  readonly caches: BuildCaches;
  readonly minify?: boolean;
  /** The packages are so large that their modules are minified one by one. */
  readonly isLarge?: boolean;
  /** Positions of top-level awaits. */
  readonly awaits?: readonly string[];
}

/** What one attempt finds, and how it reads modules. */
function beginReading(sources: SourceSet, loader: "js" | "ts", settings: BuildSettings) {
  const { trail, project, caches } = settings;
  const { manifests } = project;
  const tsconfig = project.tsconfig.config;
  const missed = (path: string, importer: string): void =>
    void trail.links.set(`${importer} ${path}`, [path, importer, ""]);
  const findings: BuildFindings = {
    inputs: new Map(),
    missing: new Map(),
    needed: new Map(),
    trail,
    declared: new Map(),
  };
  const source = settings.packages && createPackageSource(settings.packages, caches.trees);
  const separate = settings.isLarge ? createSeparateModules(commonOptions(settings)) : undefined;
  const size = createSizeLimit(caches.maxBundledChars ?? maxBundledChars);
  // Modules of a bundle with top-level await are parts of an async function.
  const modules = source && packageModules(source, separate?.stub ?? (settings.awaits ? undefined : size.add));
  const own = sourcePlugin(
    { sources, tsconfig, mappedImports: createMappedImports({ sources, tsconfig, manifests, missed }) },
    loader,
    findings,
    source && modules && { source, modules, manifests, whole: isMinified(settings) },
  );
  const plugins = modules ? [dynamicImports, modules.plugin, own] : [dynamicImports, own];
  return { findings, source, modules, separate, size, plugins };
}

async function attemptBuild(sources: SourceSet, loader: "js" | "ts", settings: BuildSettings): Promise<Attempt> {
  const { trail, caches } = settings;
  const again = (change: Partial<BuildSettings>): Promise<Attempt> =>
    attemptBuild(sources, loader, { ...settings, ...change });
  const reading = beginReading(sources, loader, settings);
  const { findings, modules, size, plugins } = reading;
  try {
    const { outputFiles, warnings } = await run(options(plugins, settings), settings);
    noteWarnings(trail, warnings);
    const errors = warnings.filter(isOfComponent);
    if (errors.length > 0) return { errors };
    if (findings.missing.size > 0) return { missing: [...findings.missing.values()] };
    if (findings.needed.size > 0) return { needed: [...findings.needed.values()] };
    // Only code with packages is minified; this attempt has left packages out.
    if (modules && modules.files.size > 0 && !isMinified(settings)) return again({ minify: true });
    return builtFrom(outputFiles, reading, settings);
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    noteWarnings(trail, error.warnings);
    if (size.isExceeded) {
      await caches.parsed?.forget();
      return again({ isLarge: true });
    }
    const awaits = settings.awaits ? [] : findAwaits(error.errors, `${componentNamespace}:`);
    if (awaits.length > 0) return again({ awaits, isLarge: false });
    return { errors: error.errors };
  }
}

/** The end of an attempt that needs nothing more. */
function builtFrom(
  outputFiles: readonly OutputFile[],
  { findings, source, modules, separate }: ReturnType<typeof beginReading>,
  { caches, awaits = [], isLarge = false, packages }: BuildSettings,
): Attempt {
  const { inputs, declared } = findings;
  const [sourceMap = "", bundle = ""] = [".map", ".js"].map(
    (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text,
  );
  if (isLarge) caches.releaseEsbuild?.();
  const shown = authorSourceMap(sourceMap, inputs, modules);
  const hasPackages = modules !== undefined && modules.files.size > 0;
  return {
    inputs,
    awaits,
    isLarge,
    ...(separate ? separate.join(bundle, shown) : { bundle, sourceMap: shown }),
    packages: {
      ofProject: [...(source?.ofProject.values() ?? [])],
      absent: modules?.absences ?? [],
      hash: hasPackages ? withDeclared(modules.hash(packages?.installed?.key), declared) : "",
    },
  };
}

/** Reuses parsed modules for builds with packages, which many components share. */
function run(
  options: BuildOptions & { write: false },
  settings: BuildSettings,
): Promise<BuildResult<{ write: false }>> {
  const { parsed } = settings.caches;
  return parsed && isMinified(settings) && !settings.awaits && !settings.isLarge
    ? parsed.build(options)
    : esbuild(options);
}

/** Builds with installed packages are minified; the author's `node_modules` may be unused. */
const isMinified = ({ minify = false, packages }: BuildSettings): boolean =>
  minify || packages?.installed !== undefined;

/**
 * QuickJS counts lines from the very start of the text for each implicit function of a class, those of fields and of static
 * blocks, and `keepNames` writes a static block into every class: the time to parse grows with the square of the size.
 */
const quicklyParsed = { "class-field": false, "class-static-field": false, "class-static-blocks": false };

/** Built-ins stay outside of the bundle and are required, in every form of import. */
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
  // All effects of the platform are overridden below; for Node, esbuild would add a second list of export names.
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
    // Paths of modules do not exist in a sandbox.
    __dirname: '"/"',
    __filename: '"/index.js"',
    // Files for browsers may expect it. Node has none, and those for Node take it for a browser's.
    ...(settings.packages?.conditions === "browser" && { self: "globalThis" }),
  },
  tsconfigRaw: { compilerOptions: settings.project.tsconfig.config?.compilerOptions ?? {} },
  nodePaths: [],
  logLevel: "silent",
  logLimit: 20,
  // These calls fail at run time: an error in a component, but accepted in packages.
  logOverride: { "unsupported-dynamic-import": "warning", "unsupported-require-call": "warning" },
});

/** Attempts of one build find the same; the one for top-level await does not have them. */
function noteWarnings({ warnings }: FileTrail, messages: readonly Message[]): void {
  for (const each of importMetaWarnings(messages, `${componentNamespace}:`))
    warnings.set(`${each.file}:${each.line}:${each.column}`, each);
}

const isOfComponent = ({ id, location }: Message): boolean =>
  /^unsupported-(?:dynamic-import|require-call)$/.test(id) &&
  location?.file.startsWith(`${componentNamespace}:`) === true;

/** Messages of the plugin are refusals; all others are from esbuild's parser. */
const isParserMessage = ({ pluginName, detail }: Message): boolean => pluginName === "" || detail === parserDetail;

const findUnresolved = (errors: readonly Message[]): UnresolvedImport | undefined =>
  errors.map(({ detail }) => detail as UnresolvedImport | undefined).find((detail) => detail?.package !== undefined);

/** The source map with the author's file names. Throws when it names a file that the build did not read. */
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
  // Contains the author's texts, which error messages quote, but not the larger texts of packages.
  const sourcesContent = sources.map((source) => (source.endsWith(".json") ? null : (inputs.get(source) ?? null)));
  return JSON.stringify({ ...map, sources, sourcesContent });
}
