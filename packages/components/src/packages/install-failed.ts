import { XError, type ErrorCode, type Limits } from "@x/model";
import type { InstallEnd, InstallProblem, ProblemKind, RootDependency } from "./messages.ts";
import type { InstallPlan } from "./plan.ts";

type Failure = Exclude<InstallEnd, { kind: "installed" }>;
type ProcessLimits = Pick<Limits, "packageTimeoutMs" | "packageMemoryBytes">;

/** `late`: the installation was stopped, because it took too long. */
type Kind = ProblemKind | "late";

const codes = {
  late: "package_unresolved",
  refused: "package_refused",
  too_large: "package_too_large",
  integrity: "package_integrity",
  unreachable: "package_unresolved",
  unresolved: "package_unresolved",
} as const satisfies { readonly [kind in Kind]: ErrorCode };

/** Where the reason differs from the kind. */
const reasons: { readonly [kind in Kind]?: string } = { unreachable: "offline", late: "timeout" };

/** The error of a failed installation. */
export function installFailed(end: Failure, { roots }: InstallPlan, limits: ProcessLimits): XError {
  if (end.kind === "broken") return new XError("internal", [], { cause: new Error(end.message) });
  const asked = Object.values(roots);
  if (end.kind === "failed") return ofProblem(withManifest(end.problem, asked));
  const about = asked.map(({ name, spec }) => (spec === "latest" ? name : `${name}@${spec}`)).join(", ");
  const chain = [asked[0]?.importer ?? "component"];
  const late = {
    kind: "late",
    problem: `installing took longer than ${limits.packageTimeoutMs} ms and was stopped; the cache keeps what was fetched, so try again; or install it in the folder of the component with npm, from where it is taken; or import a package with fewer dependencies`,
  } as const;
  const ends = {
    timeout: late,
    out_of_cpu_time: late,
    out_of_memory: {
      kind: "too_large",
      problem: `installing needed more memory than ${limits.packageMemoryBytes} bytes and was stopped`,
    },
    died: { kind: "too_large", problem: "the install process ended: it ran out of memory or was killed" },
  } as const;
  return ofProblem({ ...ends[end.kind], package: about, chain });
}

/** Adds the package.json that declares a range which the registry does not have. */
function withManifest(found: InstallProblem, asked: readonly RootDependency[]): InstallProblem {
  const root = asked.find(({ name, spec }) => found.package === `${name}@${spec}`);
  if (root?.manifest === undefined || found.kind === "unreachable") return found;
  return { ...found, problem: `${found.problem}; ${root.manifest} declares the range` };
}

function ofProblem({
  kind,
  package: about,
  chain,
  problem,
}: Omit<InstallProblem, "kind"> & { readonly kind: Kind }): XError {
  const importer = chain.join(" -> ");
  const message =
    kind === "unreachable"
      ? `the npm registry cannot be reached, and the cache does not have it (${problem})`
      : problem;
  return new XError(codes[kind], [about, importer, message], {
    details: {
      errors: [{ path: "", message }],
      package: about,
      chain: [...chain, about],
      reason: reasons[kind] ?? kind,
    },
  });
}
