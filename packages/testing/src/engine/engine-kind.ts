import type { EngineOptions } from "@x/runtime";

import { HarnessError } from "../harness-error.ts";
import { shown } from "../shown.ts";

/** What can run a component under test. */
export type EngineKind = "quickjs" | "threads" | "node";

const engines: { readonly [kind in EngineKind]: Pick<EngineOptions, "sandbox" | "workers"> } = {
  // Tests run one thing after another: a thread of its own would only be waited for.
  quickjs: { sandbox: "quickjs", workers: 0 },
  threads: { sandbox: "quickjs", workers: 1 },
  node: { sandbox: "node" },
};
const isKind = (given: unknown): given is EngineKind => typeof given === "string" && Object.hasOwn(engines, given);

/** How the engine is made. */
export const engineOf = (kind: EngineKind): Pick<EngineOptions, "sandbox" | "workers"> => engines[kind];

/** What runs the component: what the test says, else what `X_ENGINE` says for the whole run, else the sandbox. */
export function findEngineKind(given: unknown, environment: NodeJS.ProcessEnv = process.env): EngineKind {
  const asked = given ?? (environment["X_ENGINE"] || undefined);
  if (asked === undefined) return "quickjs";
  if (isKind(asked)) return asked;
  const where = given === undefined ? "X_ENGINE" : "engine";
  throw new HarnessError(
    `${where} must be "quickjs", the sandbox, "threads", the sandbox in a thread as it is served, or "node", for debuggers; got ${shown(asked)}.`,
  );
}
