import { XError } from "../model/errors.ts";
import { sha256Hex } from "../process/sha256.ts";
import type { Component } from "../model/model.ts";
import type { PackageLock } from "../model/package-lock.ts";
import { inputName } from "./bundle/input-name.ts";
import type { PackageInstaller } from "../packages/contract.ts";
import type {
  Bundled,
  Bundler,
  CodeInput,
  ComponentLoader,
  Describe,
  FindKnown,
  LoadedComponent,
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
  /** Absent: components have no npm packages. */
  readonly packages?: PackageInstaller | undefined;
  /** Hears of what is slow to start. */
  readonly warn?: (message: string, fields: { readonly [field: string]: unknown }) => void;
  /** Evaluates a bundle in the sandbox, without any capability. */
  readonly describe: Describe;
  /** What is loaded are all files of a folder. */
  readonly mayBeOther?: boolean;
}

const awaitsAtTop = /Top-level await is currently not supported/;
/** Node's files of a package are not there, or cannot be bundled; those for browsers may. */
const mayBundleForBrowsers = (error: unknown): boolean =>
  XError.is(error) &&
  (error.code === "package_unresolved"
    ? "specifier" in error.details
    : error.code === "bundle_failed" && (error.details.errors ?? []).some(({ message }) => awaitsAtTop.test(message)));

const largeBytes = 5 * 1024 * 1024;

/** Code to component: bundle, evaluate, read the shape. */
export function createComponentLoader(options: LoaderOptions): ComponentLoader {
  const { bundler, bundleUrl, describe, packages, warn, mayBeOther } = options;
  const evaluate = createEvaluate(describe);

  const bundle = (input: CodeInput, use: PackageUse | undefined): Promise<Bundled> =>
    "code" in input || "file" in input ? bundler.bundle(input, use) : bundleUrl(input.url, use);

  /** Packages as Node takes them, else as browsers do. */
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

  /** With packages as browsers take them, when Node's files of them do not work here. */
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
    const name = "code" in input || "file" in input ? inputName(input) : (files[0] ?? "");
    const [described, description] = await describeEither(input, first, name);
    const {
      files: _,
      packageFiles: __,
      places: ___,
      manifests: ____,
      absent: _____,
      awaits: ______,
      ...bundled
    } = described;
    const shape = parseShape(description, name, bundled, mayBeOther);
    const bytes = Buffer.byteLength(bundled.bundle);
    if (bytes > largeBytes) warn?.("a component's bundle is large, so it starts slowly", { name: shape.name, bytes });
    const componentUrl = ("file" in input ? undefined : input.url) ?? null;
    return { ...bundled, codeHash: sha256Hex(bundled.code), componentUrl, shape };
  }

  return { load };
}
