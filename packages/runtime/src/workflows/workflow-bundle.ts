import {
  createSharedInstall,
  joinBundles,
  packageUse,
  type BundlePart,
  type Bundled,
  type Bundler,
  type PackageInstaller,
  type PackageUse,
  type SharedInstall,
  type WorkflowCode,
  type WorkflowPart,
} from "@x/components";
import { inSlices, sha256Hex, type PackageLock } from "@x/model";

export interface WorkflowBundlerParts {
  readonly bundler: Pick<Bundler, "bundle">;
  /** Undefined: workflows have no npm packages. */
  readonly packages?: PackageInstaller | undefined;
}

export type BundledWorkflow = Omit<Bundled, "files">;

/** Code of a workflow, as opposed to a function of the program. */
export type SandboxedCode = Exclude<WorkflowCode, "handler">;

/** Bundles a module, or the components of all steps, which share one install of packages. */
export type BundleWorkflow = (
  code: SandboxedCode,
  before: PackageLock | undefined,
  conditions?: PackageUse["conditions"],
) => Promise<BundledWorkflow>;

export function createWorkflowBundler({ bundler, packages }: WorkflowBundlerParts): BundleWorkflow {
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

  return async (code, before, conditions) => {
    if (!("parts" in code)) return bundler.bundle(code, packageUse(packages, before, conditions));
    const shared = createSharedInstall(packages, before, code.parts.length, conditions);
    const parts = await Promise.all(code.parts.map((part) => bundlePart(part, shared)));
    const contentHash = sha256Hex(parts.map(({ name, contentHash }) => `${name} ${contentHash}\n`).join(""));
    const used = new Map(parts.flatMap((part) => part.packages ?? []).map((each) => [JSON.stringify(each), each]));
    const packageLock = parts.find((part) => part.packageLock)?.packageLock;
    return {
      ...(await inSlices(joinBundles(parts))),
      code: "",
      contentHash,
      ...(used.size > 0 && { packages: [...used.values()] }),
      ...(packageLock && { packageLock }),
    };
  };
}
