import type { SandboxKind } from "@x/runtime";

import { HarnessError } from "./harness-error.ts";
import { shown } from "./shown.ts";

const kinds: readonly SandboxKind[] = ["quickjs", "node"];
const isKind = (given: unknown): given is SandboxKind => kinds.some((kind) => kind === given);

/** What runs the component: what the test says, else what `X_ENGINE` says for the whole run, else the sandbox. */
export function findEngineKind(given: unknown, environment: NodeJS.ProcessEnv = process.env): SandboxKind {
  const asked = given ?? (environment["X_ENGINE"] || undefined);
  if (asked === undefined) return "quickjs";
  if (isKind(asked)) return asked;
  const where = given === undefined ? "X_ENGINE" : "engine";
  throw new HarnessError(`${where} must be "quickjs", the sandbox, or "node", for debuggers; got ${shown(asked)}.`);
}
