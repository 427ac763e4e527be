import { XError, sha256Hex, type Component, type PackageLock } from "@x/model";
import { inputName } from "./bundle/input-name.ts";
import type { PackageInstaller } from "./packages/contract.ts";
import type {
  Bundled,
  Bundler,
  CodeInput,
  ComponentLoader,
  Describe,
  FindKnown,
  LoadedComponent,
  LocalCode,
  PackageUse,
} from "./contract.ts";
import { createEvaluate } from "./evaluate.ts";
import { findFailedPackage } from "./imports/failed-package.ts";
import { packageUse } from "./imports/package-use.ts";
import { invalidComponent, parseShape } from "./shape.ts";

export interface LoaderOptions {
  readonly bundler: Bundler;
  /** Fetches and bundles. */
  readonly bundleUrl: (url: string, packages?: PackageUse) => Promise<Bundled>;
  /** Installs npm packages; absent when components have none. */
  readonly packages?: PackageInstaller | undefined;
  /** Receives warnings about components that start slowly. */
  readonly warn?: (message: string, fields: { readonly [field: string]: unknown }) => void;
  /** Evaluates a bundle in the sandbox, without any capability. */
  readonly describe: Describe;
  /** True when all files of a folder are loaded, also other modules. */
  readonly mayBeOther?: boolean;
}

const isLocal = (input: CodeInput): input is LocalCode => "code" in input || "file" in input || "entry" in input;

const awaitsAtTop = /Top-level await is currently not supported/;
/** True when a package's files for Node are missing or cannot be bundled; its files for browsers may work. */
const mayBundleForBrowsers = (error: unknown): boolean =>
  XError.is(error) &&
  (error.code === "package_unresolved"
    ? "specifier" in error.details
    : error.code === "bundle_failed" && (error.details.errors ?? []).some(({ message }) => awaitsAtTop.test(message)));

const largeBytes = 5 * 1024 * 1024;

/** Loads a component: bundles the code, evaluates it and reads the shape. */
export function createComponentLoader(options: LoaderOptions): ComponentLoader {
  const { bundler, bundleUrl, describe, packages, warn, mayBeOther } = options;
  const evaluate = createEvaluate(describe);

  const bundle = (input: CodeInput, use: PackageUse | undefined): Promise<Bundled> =>
    isLocal(input) ? bundler.bundle(input, use) : bundleUrl(input.url, use);

  /** Resolves packages for Node, else for browsers. */
  async function bundleEither(input: CodeInput, before: PackageLock | undefined): Promise<Bundled> {
    try {
      return await bundle(input, packageUse(packages, before));
    } catch (error) {
      if (!mayBundleForBrowsers(error) || !packages) throw error;
      return bundle(input, packageUse(packages, before, "browser")).catch(() => {
        throw error;
      });
    }
  }

  /** Resolves packages for browsers when their files for Node do not work. */
  async function describeEither(input: CodeInput, given: Bundled, name: string): Promise<[Bundled, string]> {
    try {
      return [given, await evaluate(given, name, invalidComponent)];
    } catch (error) {
      if (given.packages === undefined) throw error;
      try {
        const forBrowsers = await bundle(input, packageUse(packages, given.packageLock, "browser"));
        return [forBrowsers, await evaluate(forBrowsers, name, invalidComponent)];
      } catch {
        throw findFailedPackage(error, given, name) ?? error;
      }
    }
  }

  async function load(input: CodeInput): Promise<LoadedComponent>;
  async function load(
    input: CodeInput,
    findKnown: FindKnown,
    before?: PackageLock,
  ): Promise<LoadedComponent | Component>;
  async function load(
    input: CodeInput,
    findKnown?: FindKnown,
    before?: PackageLock,
  ): Promise<LoadedComponent | Component> {
    const first = await bundleEither(input, before);
    const { files } = first;
    const known = await findKnown?.(first);
    if (known) return known;
    const name = isLocal(input) ? inputName(input) : (files[0] ?? "");
    const [described, description] = await describeEither(input, first, name);
    const { bundle: text, sourceMap, code, contentHash, packages: installed, packageLock, warnings } = described;
    const built = {
      bundle: text,
      sourceMap,
      code,
      contentHash,
      ...(installed && { packages: installed }),
      ...(packageLock && { packageLock }),
    };
    const shape = parseShape(description, name, { ...built, ...(warnings && { warnings }) }, mayBeOther);
    const bytes = Buffer.byteLength(text);
    if (bytes > largeBytes) warn?.("a component's bundle is large, so it starts slowly", { name: shape.name, bytes });
    const componentUrl = ("url" in input ? input.url : undefined) ?? null;
    return { ...built, codeHash: sha256Hex(code), componentUrl, shape };
  }

  return { load };
}
