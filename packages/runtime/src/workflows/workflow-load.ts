import { XError, type Problem } from "../model/errors.ts";
import { sha256Hex } from "../process/sha256.ts";
import type { PackageLock } from "../model/package-lock.ts";
import type { PackageInstaller } from "../packages/contract.ts";
import { inputName } from "../components/bundle/input-name.ts";
import type {
  Bundled,
  Bundler,
  Describe,
  LoadedWorkflow,
  PackageUse,
  PropsRules,
  WorkflowCode,
  WorkflowLoader,
  WorkflowPart,
} from "../components/contract.ts";
import { createEvaluate } from "../components/evaluate.ts";
import { findFailedPackage } from "../components/imports/failed-package.ts";
import { createSharedInstall, packageUse, type SharedInstall } from "../components/imports/package-use.ts";
import { type BundlePart, joinBundles } from "../components/bundle/join-bundles.ts";
import { isRecord } from "../components/shown-value.ts";
import { invalidWorkflow, type ParsedWorkflow, parseWorkflow } from "./workflow-shape.ts";

export interface WorkflowLoaderOptions {
  readonly bundler: Pick<Bundler, "bundle">;
  /** Evaluates a bundle in the sandbox, without any capability. */
  readonly describe: Describe;
  readonly props: PropsRules;
  /** Absent: workflows have no npm packages. */
  readonly packages?: PackageInstaller | undefined;
}

type Content = Omit<Bundled, "files">;

/** Nothing is evaluated where a function of the embedder runs. */
const noCode: Content = {
  bundle: "",
  sourceMap: '{"version":3,"sources":[],"names":[],"mappings":""}',
  code: "",
  contentHash: "",
};

/** Values stand at `<step>.<prop>`; the author wrote them at a step. */
function authorPath(path: string, { places }: ParsedWorkflow): string {
  const [, step, rest] = /^\/configured_props\/(\w+)\.(.*)$/s.exec(path) ?? [];
  const place = step === undefined ? undefined : places.get(step);
  return place === undefined ? path.replace(/^\/configured_props/, "") : `${place}/${rest ?? ""}`;
}

/** Code to workflow: bundle, evaluate, read the shape, check the values of its steps' props. */
export function createWorkflowLoader(options: WorkflowLoaderOptions): WorkflowLoader {
  const { bundler, props, packages } = options;
  const evaluate = createEvaluate(options.describe);

  async function bundlePart(
    { name, component }: WorkflowPart,
    shared: SharedInstall,
  ): Promise<BundlePart & Pick<Bundled, "contentHash" | "packages" | "packageLock">> {
    const use = shared.use();
    try {
      if ("bundle" in component) return { name, ...component, contentHash: sha256Hex(component.bundle) };
      return { name, ...(await bundler.bundle(component, use)) };
    } finally {
      shared.ended(use);
    }
  }

  async function bundleAll(
    code: Exclude<WorkflowCode, "handler">,
    before: PackageLock | undefined,
    conditions?: PackageUse["conditions"],
  ): Promise<Content> {
    if (!("parts" in code)) return bundler.bundle(code, packageUse(packages, before, conditions));
    const shared = createSharedInstall(packages, before, code.parts.length, conditions);
    const parts = await Promise.all(code.parts.map((part) => bundlePart(part, shared)));
    const contentHash = sha256Hex(parts.map(({ name, contentHash }) => `${name} ${contentHash}\n`).join(""));
    const used = new Map(parts.flatMap((part) => part.packages ?? []).map((each) => [JSON.stringify(each), each]));
    const packageLock = parts.find((part) => part.packageLock)?.packageLock;
    return {
      ...joinBundles(parts),
      code: "",
      contentHash,
      ...(used.size > 0 && { packages: [...used.values()] }),
      ...(packageLock && { packageLock }),
    };
  }

  /** The values over what the steps declare, as a source has them configured. */
  function configure(parsed: ParsedWorkflow): LoadedWorkflow["values"] {
    try {
      return props.configure(parsed.shape, parsed.values);
    } catch (error) {
      if (!XError.is(error) || error.code !== "invalid_props") throw error;
      const problems: readonly Problem[] = error.details.errors ?? [];
      throw invalidWorkflow(
        parsed.shape.name,
        problems.map((problem) => ({ ...problem, path: authorPath(problem.path, parsed) })),
      );
    }
  }

  async function describeAll(
    code: Exclude<WorkflowCode, "handler">,
    bundled: Content,
    fallbackName: string,
  ): Promise<unknown> {
    const described: unknown = JSON.parse(await evaluate(bundled, fallbackName, invalidWorkflow));
    if (!("parts" in code) || !isRecord(described) || !Array.isArray(described["steps"])) return described;
    // Values do not become part of the code: they may be secret.
    const steps = described["steps"].map((step: unknown, index) => ({
      ...(step as object),
      props: code.parts[index]?.props ?? {},
    }));
    return { ...described, steps };
  }

  /** With packages as browsers take them, when Node's files of them do not work here. */
  async function describeEither(
    code: Exclude<WorkflowCode, "handler">,
    before: PackageLock | undefined,
    name: string,
  ): Promise<[Content, unknown]> {
    const given = await bundleAll(code, before);
    try {
      return [given, await describeAll(code, given, name)];
    } catch (error) {
      if (given.packages === undefined) throw error;
      try {
        const forBrowsers = await bundleAll(code, given.packageLock ?? before, "browser");
        return [forBrowsers, await describeAll(code, forBrowsers, name)];
      } catch {
        throw findFailedPackage(error, given, name) ?? error;
      }
    }
  }

  return {
    async load(code, head, before) {
      const fallbackName = head.name ?? (code === "handler" || "parts" in code ? "" : inputName(code));
      const [bundled, described] =
        code === "handler" ? [noCode, undefined] : await describeEither(code, before, fallbackName);
      const parsed = parseWorkflow(described, head, fallbackName);
      const { id, shape } = parsed;
      return {
        ...(id !== undefined && { id }),
        values: configure(parsed),
        component: {
          code: bundled.code,
          codeHash: sha256Hex(bundled.code),
          // Its own among the contents: the same file may be a source's component too.
          contentHash: sha256Hex(`workflow\n${bundled.contentHash}\n${JSON.stringify(shape)}`),
          componentUrl: null,
          shape,
          bundle: bundled.bundle,
          sourceMap: bundled.sourceMap,
          ...(bundled.packages && { packages: bundled.packages }),
          ...(bundled.packageLock && { packageLock: bundled.packageLock }),
        },
      };
    },
  };
}
