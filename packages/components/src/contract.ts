import type {
  Component,
  ComponentPackage,
  ComponentShape,
  ComponentTexts,
  ComponentWarning,
  Json,
  PackageLock,
  Source,
} from "@x/model";
import type { InstalledPackages, PackageRequest } from "./packages/contract.ts";
import type { Declared } from "./declared/contract.ts";
import type { Description } from "@x/sandbox";

/** The files of a component as texts, such as a client sends them. */
export interface SentFiles {
  /** Text by name: a path relative to their common folder, with forward slashes. A package.json declares versions. */
  readonly files: { readonly [name: string]: string };
  /** The name of the file with the component. */
  readonly entry: string;
}

/** Code on this machine. A file follows relative imports inside `root` (default: the file's folder). */
export type LocalCode =
  | { readonly code: string; readonly url?: string }
  | { readonly file: string; readonly root?: string }
  | SentFiles;

/** The source of a component's code. A URL is fetched, with its relative imports from the same origin. */
export type CodeInput = LocalCode | { readonly url: string };

/**
 * Called with the names of a component's files, the entry first, when it is bundled, also if it is refused afterwards.
 * `others`: files of packages in the author's `node_modules`. `places`: paths where imports were looked for, with their
 * folders; a new file or link there may change the component. `manifests`: those paths that are, or would be, a package.json
 * or tsconfig.json for it.
 */
export type NoteFiles = (
  files: readonly string[],
  others: readonly string[],
  places: readonly string[],
  manifests: readonly string[],
) => void;

export interface Bundled {
  readonly bundle: string;
  readonly sourceMap: string;
  /** Entry text as submitted. */
  readonly code: string;
  readonly contentHash: string;
  /** Names of all its files, the entry first; relative to its root or origin. */
  readonly files: readonly string[];
  /** Names of the files read from packages in the author's `node_modules`. */
  readonly packageFiles?: readonly string[];
  /** Paths where imports were looked for, with their folders; absent for code sent as text. */
  readonly places?: readonly string[];
  /** Names of each package.json and tsconfig.json that it may depend on, also missing ones. */
  readonly manifests?: readonly string[];
  /** Its tsconfig.json, with the settings of what that file extends. */
  readonly tsconfig?: { readonly name: string; readonly text: string };
  /** What the build did not read, and code that does not do what it seems to do. */
  readonly warnings?: readonly ComponentWarning[];
  /** All npm packages in the bundle; absent when there is none. */
  readonly packages?: readonly ComponentPackage[];
  readonly packageLock?: PackageLock;
  /** Imports in packages that cannot be resolved; they fail when they are executed. */
  readonly absent?: readonly AbsentImport[];
  /** Positions of top-level awaits, as `file:line:column`. */
  readonly awaits?: readonly string[];
}

/** An import in a package that cannot be resolved. */
export interface AbsentImport {
  readonly specifier: string;
  /** File of a package. */
  readonly importer: string;
  readonly why: "absent" | "native" | "refused";
  readonly reason: string;
}

/** Installs the npm packages of a build. */
export interface PackageUse {
  /** Rejects with a `package_…` error. */
  install(needed: readonly PackageRequest[]): Promise<InstalledPackages>;
  /** The probable result of `install`, without waiting. */
  guess?(needed: readonly PackageRequest[]): Promise<InstalledPackages | undefined>;
  /** Conditions for `exports` of a package.json; default: "node". */
  readonly conditions?: "browser" | "node";
  /** Low priority: other builds go first. */
  readonly inBackground?: boolean;
}

/** The fetched files of a component. */
export interface FetchedFiles {
  /** Name of the entry. */
  readonly entry: string;
  /** Text by name. */
  readonly texts: ReadonlyMap<string, string>;
  /** Name of the fetched file, by the name that an import means. */
  readonly links: ReadonlyMap<string, string>;
}

/** An imported file that is not fetched yet. */
export interface MissingFile {
  /** The name that the import means. */
  readonly asked: string;
  readonly importer: string;
  /** Possible names of the file, best first. */
  readonly candidates: readonly string[];
}

/** Packages that code needs and that are not installed yet. */
export interface NeededPackages {
  readonly needed: readonly PackageRequest[];
  /** What may be the reason when one of them is not found. */
  readonly hint?: string;
  /** The files that were read, and each package.json and tsconfig.json that was looked for. */
  readonly seen?: Pick<Bundled, "files" | "manifests" | "tsconfig">;
}

/** Options of a build that may use packages. */
export interface BuildOptions {
  readonly conditions: "browser" | "node";
  readonly installed?: InstalledPackages;
  /** The requests for `installed`. */
  readonly asked?: readonly PackageRequest[];
  /** As in `PackageUse`. */
  readonly inBackground?: boolean;
}

/** Builds in a separate process. */
export interface Builder {
  /** Reads files by parsing them alone, in order. Files that cannot be read or parsed are "unknown". */
  declare(files: readonly string[]): Promise<readonly Declared[]>;
  build(input: LocalCode, packages?: BuildOptions): Promise<Bundled | NeededPackages>;
  buildFetched(
    files: FetchedFiles,
    packages?: BuildOptions,
  ): Promise<Bundled | NeededPackages | { readonly missing: readonly MissingFile[] }>;
  warm(isChanging?: boolean): void;
  close(): Promise<void>;
}

/** Bundles with npm packages. Rejects with `bundle_failed`, or a `package_…` error. */
export interface Bundler {
  /** Reads files by parsing them alone, in order. Files that cannot be read or parsed are "unknown". */
  declare(files: readonly string[]): Promise<readonly Declared[]>;
  /** Without `packages`, every import of one is `package_unresolved`. */
  bundle(input: LocalCode, packages?: PackageUse): Promise<Bundled>;
  /** Resolves with the missing files while there are any. */
  bundleFetched(
    files: FetchedFiles,
    packages?: PackageUse,
  ): Promise<Bundled | { readonly missing: readonly MissingFile[] }>;
  /**
   * Starts the process now, unless there are cached builds and the code is not changing: by default it starts with the first
   * build that is not cached.
   */
  warm(isChanging?: boolean): void;
  close(): Promise<void>;
}

/** A component before it is stored. */
export type LoadedComponent = ComponentTexts &
  Pick<Component, "codeHash" | "contentHash" | "componentUrl" | "shape" | "packages" | "packageLock">;

/** Called when the code is bundled. When it resolves to a component, that one is used, and the code is not evaluated. */
export type FindKnown = (
  content: Pick<Bundled, "contentHash" | "files" | "packageFiles" | "places" | "manifests">,
) => Promise<Component | undefined>;

export interface ComponentLoader {
  /**
   * Rejects with `bundle_failed`, a `package_…` error, `invalid_component` (all problems in `details.errors`), and
   * for a URL also with `component_url_failed`, `address_forbidden` and `invalid_parameter`.
   */
  load(input: CodeInput): Promise<LoadedComponent>;
  /** Keeps the package versions of `before` for specifiers that are still used. */
  load(input: CodeInput, findKnown: FindKnown, before?: PackageLock): Promise<LoadedComponent | Component>;
}

/** A component as the action of a step: its code, or its bundle. */
export interface WorkflowPart {
  /** Name of the step. */
  readonly name: string;
  readonly component: LocalCode | Pick<ComponentTexts, "bundle" | "sourceMap">;
  readonly props?: { readonly [prop: string]: Json };
}

/** The source of a workflow's steps; "handler": it has none. */
export type WorkflowCode = LocalCode | { readonly parts: readonly WorkflowPart[] } | "handler";

/** Options of a workflow from the caller. They override the module's. */
export interface WorkflowHead {
  readonly id?: string;
  readonly name?: string;
  /** Validated. */
  readonly trigger?: unknown;
}

/** A workflow before it is stored. */
export interface LoadedWorkflow {
  readonly id?: string;
  readonly component: LoadedComponent;
  /** Values of the props of its steps and its trigger, by the names that the shape gives them. */
  readonly values: ConfiguredProps;
}

export interface WorkflowLoader {
  /** Rejects with `bundle_failed`, `package_unresolved` or `invalid_workflow` (all problems in `details.errors`). */
  load(code: WorkflowCode, head: WorkflowHead, before?: PackageLock): Promise<LoadedWorkflow>;
}

/** Evaluates a bundle. `times`: factor for the time limit. */
export type Describe = (bundle: { hash: string; code: string }, times: number) => Promise<Description>;

/** Values as stored: timers as `TimerValue`, http and db props absent, the rest as given. */
export type ConfiguredProps = Source["configuredProps"];

/**
 * Reads how requests to an endpoint are verified: returns what is stored. `stored` is what was before, whose secrets a
 * marker keeps. Throws `invalid_parameter` without showing a secret.
 */
export type ReadVerify = (given: Json, stored: Json | undefined) => Json;

export interface PropsRules {
  /**
   * Validates what a caller configured against the shape and normalises it.
   * `previous` is merged by key, null unsets. Throws `invalid_props` with every problem and its path.
   */
  configure(shape: ComponentShape, given: unknown, previous?: ConfiguredProps): ConfiguredProps;
  /** The same for props that are not complete yet: what is missing is not asked for. */
  draft(shape: ComponentShape, given: unknown, previous?: ConfiguredProps): ConfiguredProps;
  /** Values that `this.<prop>` reads: defaults filled in, label-value forms unwrapped unless `withLabel`. */
  values(shape: ComponentShape, configured: ConfiguredProps): { [prop: string]: Json };
}

/** The component of a source. With several fields, the first of them in this order is used. */
export interface ComponentReference {
  readonly componentId?: string;
  readonly key?: string;
  readonly code?: string;
  /** Texts of the component's files, by their paths in their common folder; a package.json declares versions. */
  readonly files?: { readonly [name: string]: string };
  /** Which of `files` has the component. */
  readonly entry?: string;
  /** URL of the code; with `code`, `files` or `componentId` only metadata. */
  readonly url?: string;
  /** A file on this machine, whose relative imports are inside `root`; not available over REST. */
  readonly file?: string;
  readonly root?: string;
}
