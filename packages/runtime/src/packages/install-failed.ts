import { type ErrorCode, XError } from "../model/errors.ts";
import type { Limits } from "../api/options.ts";
import type { InstallEnd, InstallProblem, ProblemKind, RootDependency } from "./messages.ts";
import type { InstallPlan } from "./plan.ts";

type Failure = Exclude<InstallEnd, { kind: "installed" }>;
type StoppedAt = Pick<Limits, "packageTimeoutMs" | "packageMemoryBytes">;

const codes = {
  refused: "package_refused",
  too_large: "package_too_large",
  integrity: "package_integrity",
  unreachable: "package_unresolved",
  unresolved: "package_unresolved",
} as const satisfies { readonly [kind in ProblemKind]: ErrorCode };

/** The error of an installation that ended badly. */
export function installFailed(end: Failure, { roots }: InstallPlan, limits: StoppedAt): XError {
  if (end.kind === "broken") return new XError("internal", [], { cause: new Error(end.message) });
  const asked = Object.values(roots);
  if (end.kind === "failed") return ofProblem(withManifest(end.problem, asked));
  const about = asked.map(({ name, spec }) => (spec === "latest" ? name : `${name}@${spec}`)).join(", ");
  const chain = [asked[0]?.importer ?? "component"];
  const late = {
    kind: "unreachable",
    problem: `installing took longer than ${limits.packageTimeoutMs} ms and was stopped; what was fetched is kept, so try again, or import a package with fewer dependencies`,
  } as const;
  const reasons = {
    timeout: late,
    out_of_cpu_time: late,
    out_of_memory: {
      kind: "too_large",
      problem: `installing needed more memory than ${limits.packageMemoryBytes} bytes and was stopped`,
    },
    died: { kind: "too_large", problem: "the installing process ended: it ran out of memory or was killed" },
  } as const;
  return ofProblem({ ...reasons[end.kind], package: about, chain });
}

/** Where the range stands that the registry does not have. */
function withManifest(found: InstallProblem, asked: readonly RootDependency[]): InstallProblem {
  const root = asked.find(({ name, spec }) => found.package === `${name}@${spec}`);
  if (root?.manifest === undefined || found.kind === "unreachable") return found;
  return { ...found, problem: `${found.problem}; the range stands in ${root.manifest}` };
}

function ofProblem({ kind, package: about, chain, problem }: InstallProblem): XError {
  const importer = chain.join(" -> ");
  const told =
    kind === "unreachable"
      ? `the npm registry does not answer as it should, and the cache does not have it (${problem})`
      : problem;
  return new XError(codes[kind], [about, importer, told], {
    details: {
      errors: [{ path: "", message: told }],
      package: about,
      chain: [...chain, about],
      reason: kind === "unreachable" ? "offline" : kind,
    },
  });
}
