import { XError, sha256Hex, type PackageLock, type Problem } from "@x/model";
import {
  createEvaluate,
  findFailedPackage,
  inputName,
  isRecord,
  type Describe,
  type LoadedWorkflow,
  type PropsRules,
  type WorkflowLoader,
} from "@x/components";
import {
  type BundledWorkflow,
  createWorkflowBundler,
  type SandboxedCode,
  type WorkflowBundlerParts,
} from "./workflow-bundle.ts";
import { invalidWorkflow, type ParsedWorkflow, parseWorkflow } from "./workflow-shape.ts";

export interface WorkflowLoaderOptions extends WorkflowBundlerParts {
  /** Evaluates a bundle in the sandbox, without any capability. */
  readonly describe: Describe;
  readonly props: PropsRules;
}

/** A workflow with a handler has no code in the sandbox. */
const noCode: BundledWorkflow = {
  bundle: "",
  sourceMap: '{"version":3,"sources":[],"names":[],"mappings":""}',
  code: "",
  contentHash: "",
};

/** Converts the path of a value, named `<step>.<prop>`, to its path in what the author wrote. */
function authorPath(path: string, { valuePaths }: ParsedWorkflow): string {
  const [, step, rest] = /^\/props\/(\w+)\.(.*)$/s.exec(path) ?? [];
  const stepPath = step === undefined ? undefined : valuePaths.get(step);
  return stepPath === undefined ? path.replace(/^\/props/, "") : `${stepPath}/${rest ?? ""}`;
}

/** Loads workflows: bundles the code, evaluates it, reads the shape, checks the values of the steps' props. */
export function createWorkflowLoader(options: WorkflowLoaderOptions): WorkflowLoader {
  const { props } = options;
  const bundleWorkflow = createWorkflowBundler(options);
  const evaluate = createEvaluate(options.describe);

  /** The configured props: the given values, and the defaults of the steps. */
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

  async function describeAll(code: SandboxedCode, bundled: BundledWorkflow, fallbackName: string): Promise<unknown> {
    const described: unknown = JSON.parse(await evaluate(bundled, fallbackName, invalidWorkflow));
    if (!("parts" in code) || !isRecord(described) || !Array.isArray(described["steps"])) return described;
    // Values are not part of the code, because they may be secret.
    const steps = described["steps"].map((step: unknown, index) => ({
      ...(step as object),
      props: code.parts[index]?.props ?? {},
    }));
    return { ...described, steps };
  }

  /** Uses the browser files of packages when their files for Node do not work in the sandbox. */
  async function describeEither(
    code: SandboxedCode,
    before: PackageLock | undefined,
    name: string,
  ): Promise<[BundledWorkflow, unknown]> {
    const given = await bundleWorkflow(code, before);
    try {
      return [given, await describeAll(code, given, name)];
    } catch (error) {
      if (given.packages === undefined) throw error;
      try {
        const forBrowsers = await bundleWorkflow(code, given.packageLock ?? before, "browser");
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
          // Differs from the hash of a component: the same file may also be the component of a source.
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
