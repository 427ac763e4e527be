import { XError } from "../errors.ts";
import type { InstallEnd } from "./install-child.ts";
import type { PackageLimits } from "./installer.ts";
import type { InstallProblem } from "./messages.ts";
import type { InstallPlan } from "./plan.ts";

type Failure = Exclude<InstallEnd, { kind: "installed" }>;

/** The error of an installation that ended badly. */
export function installFailed(end: Failure, { roots }: InstallPlan, limits: PackageLimits): XError {
  if (end.kind === "broken") return new XError("internal", [], { cause: new Error(end.message) });
  if (end.kind === "failed") return ofProblem(end.problem);
  const asked = Object.values(roots);
  const about = asked.map(({ name, spec }) => (spec === "latest" ? name : `${name}@${spec}`)).join(", ");
  const chain = [asked[0]?.importer ?? "component"];
  const reasons = {
    timeout: {
      kind: "unreachable",
      problem: `installing took longer than ${limits.packageTimeoutMs} ms and was stopped`,
    },
    out_of_memory: {
      kind: "too_large",
      problem: `installing needed more memory than ${limits.packageMemoryBytes} bytes and was stopped`,
    },
    died: { kind: "too_large", problem: "the installing process ended: it ran out of memory or was killed" },
  } as const;
  return ofProblem({ ...reasons[end.kind], package: about, chain });
}

function ofProblem({ kind, package: about, chain, problem }: InstallProblem): XError {
  const importer = chain.join(" -> ");
  const told =
    kind === "unreachable"
      ? `the npm registry does not answer as it should, and the cache does not have it (${problem})`
      : problem;
  const details = {
    errors: [{ path: "", message: told }],
    package: about,
    chain: [...chain, about],
    reason: kind,
  };
  switch (kind) {
    case "refused":
      return new XError("package_refused", [about, importer, told], { details });
    case "too_large":
      return new XError("package_too_large", [about, importer, told], { details });
    case "integrity":
      return new XError("package_integrity", [about, importer, told], { details });
    case "unreachable":
      return new XError("package_unresolved", [about, importer, told], { details: { ...details, reason: "offline" } });
    case "unresolved":
      return new XError("package_unresolved", [about, importer, told], { details });
  }
}
