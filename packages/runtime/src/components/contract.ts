import type { Component, ComponentShape, ComponentTexts, Json, Source } from "../model/model.ts";
import type { ComponentPackage, PackageLock } from "../model/package-lock.ts";
import type { InstalledPackages, PackageRequest } from "../packages/contract.ts";
import type { Description } from "../sandbox/contract.ts";

/** Code on this machine. A file follows relative imports inside `root` (default: the file's folder). */
export type LocalCode =
  | { readonly code: string; readonly url?: string }
  | { readonly file: string; readonly root?: string };

/** Where a component's code comes from. A URL by itself is fetched, and its relative imports on its own origin. */
export type CodeInput = LocalCode | { readonly url: string };

/**
 * Hears the names of a component's files, the entry first, as soon as it is bundled: also when it is then refused. `others`
 * are those of packages in the author's `node_modules`, where it was bundled with such. `places` are where imports were
 * looked for, with the folders on the way: what comes to be there, or a link that leads elsewhere, may make it another.
 * `manifests` are those of the places that are, or would be, a package.json with versions for it.
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
  /** Names of everything that went into it, the entry first; relative to its root or origin. */
  readonly files: readonly string[];
  /** Names of files of the author's own packages that were read. */
  readonly packageFiles?: readonly string[];
  /** Names of where imports were looked for, and of the folders on the way; absent for what is in no files. */
  readonly places?: readonly string[];
  /** Names of each package.json that may say which versions hold; not all of them are there. */
  readonly manifests?: readonly string[];
  /** Every npm package that went into it; absent when there is none. */
  readonly packages?: readonly ComponentPackage[];
  readonly packageLock?: PackageLock;
  /** What packages import and cannot have; it fails when it is executed. */
  readonly absent?: readonly AbsentImport[];
  /** Where something is awaited at the top level of a module, as `file:line:column`. */
  readonly awaits?: readonly string[];
}

/** An import in a package that leads nowhere. */
export interface AbsentImport {
  readonly specifier: string;
  /** File of a package. */
  readonly importer: string;
  readonly why: "absent" | "native" | "refused";
  readonly reason: string;
}

/** Where the npm packages of a build come from. */
export interface PackageUse {
  /** Rejects with a `package_…` error. */
  install(needed: readonly PackageRequest[]): Promise<InstalledPackages>;
  /** What `install` will most likely give, at once. */
  guess?(needed: readonly PackageRequest[]): Promise<InstalledPackages | undefined>;
  /** Which conditions of package.json hold; default: those of Node. */
  readonly conditions?: "browser" | "node";
  /** Nobody waits for it: builds that somebody waits for go before. */
  readonly inBackground?: boolean;
}

/** A component's files that came from elsewhere. */
export interface FetchedFiles {
  /** Name of the entry. */
  readonly entry: string;
  /** Text by name. */
  readonly texts: ReadonlyMap<string, string>;
  /** The name that answered, by the name that an import means. */
  readonly links: ReadonlyMap<string, string>;
}

/** A file that is imported and not there yet. */
export interface MissingFile {
  /** The name that the import means. */
  readonly asked: string;
  readonly importer: string;
  /** Names under which it may be, best first. */
  readonly candidates: readonly string[];
}

/** Packages that code needs, and that are not installed for it yet. */
export interface NeededPackages {
  readonly needed: readonly PackageRequest[];
}

/** One build with the packages that are there; absent: it can have none. */
export interface BuildOptions {
  readonly conditions: "browser" | "node";
  readonly installed?: InstalledPackages;
  /** What it was installed for. */
  readonly asked?: readonly PackageRequest[];
  /** As in `PackageUse`. */
  readonly inBackground?: boolean;
}

/** Builds in a process of its own. */
export interface Builder {
  build(input: LocalCode, packages?: BuildOptions): Promise<Bundled | NeededPackages>;
  buildFetched(
    files: FetchedFiles,
    packages?: BuildOptions,
  ): Promise<Bundled | NeededPackages | { readonly missing: readonly MissingFile[] }>;
  warm(): void;
  close(): Promise<void>;
}

/** Bundles with npm packages. Rejects with `bundle_failed`, or a `package_…` error. */
export interface Bundler {
  /** Without `packages`, every import of one is `package_unresolved`. */
  bundle(input: LocalCode, packages?: PackageUse): Promise<Bundled>;
  /** Resolves with the files that are missing while there are any. */
  bundleFetched(
    files: FetchedFiles,
    packages?: PackageUse,
  ): Promise<Bundled | { readonly missing: readonly MissingFile[] }>;
  /** Starts the process now: by default it starts with the first build. */
  warm(): void;
  close(): Promise<void>;
}

/** Everything of a component that is known before it is stored. */
export type LoadedComponent = ComponentTexts &
  Pick<Component, "codeHash" | "contentHash" | "componentUrl" | "shape" | "packages" | "packageLock">;

/** Called when the code is bundled; a component that it gives stands for the content, which is not evaluated again. */
export type FindKnown = (
  content: Pick<Bundled, "contentHash" | "files" | "packageFiles" | "places" | "manifests">,
) => Promise<Component | undefined>;

export interface ComponentLoader {
  /**
   * Rejects with `bundle_failed`, a `package_…` error, `invalid_component` (all problems in `details.errors`), and
   * for a URL also with `component_url_failed`, `address_forbidden` and `invalid_parameter`.
   */
  load(input: CodeInput): Promise<LoadedComponent>;
  /** With the package versions of `before`, where its specifiers are still asked for. */
  load(input: CodeInput, findKnown: FindKnown, before?: PackageLock): Promise<LoadedComponent | Component>;
}

/** A component in the place of a step's action: its code, or the bundle it has already. */
export interface WorkflowPart {
  /** Name of the step. */
  readonly name: string;
  readonly component: LocalCode | Pick<ComponentTexts, "bundle" | "sourceMap">;
  readonly props?: { readonly [prop: string]: Json };
}

/** Where the steps of a workflow come from; "handler": there are none. */
export type WorkflowCode = LocalCode | { readonly parts: readonly WorkflowPart[] } | "handler";

/** What a caller says about a workflow; it goes before what the module says. */
export interface WorkflowHead {
  readonly id?: string;
  readonly name?: string;
  /** Checked, whatever its type. */
  readonly trigger?: unknown;
}

/** Everything of a workflow that is known before it is stored. */
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

/** `times`: how many times the usual time it may take. */
export type Describe = (bundle: { hash: string; code: string }, times: number) => Promise<Description>;

/** Values as stored: timers as `TimerValue`, http and db props absent, the rest as given. */
export type ConfiguredProps = Source["configuredProps"];

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
