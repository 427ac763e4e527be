import type { Execution } from "@x/runtime";
import { findErrorRow } from "@x/runtime/errors";

import { EnvironmentError, isCodedError, UsageError } from "./errors.ts";

/** The exit codes of x; scripts rely on them. */
export const exitCodes = { ok: 0, component: 1, usage: 2, limit: 3, environment: 4, interrupted: 130 } as const;

const isLimit = (code: unknown): boolean => findErrorRow(String(code))?.exit === "limit";

/** The exit code for a failure that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof EnvironmentError || !isCodedError(error)) return exitCodes.environment;
  if (isLimit(error.details["error_code"])) return exitCodes.limit;
  return exitCodes[findErrorRow(error.code)?.exit ?? "environment"];
}

/** The exit code for one finished run. */
function exitCodeOfRun({ status, error }: Pick<Execution, "status" | "error">): number {
  if (!error) return exitCodes.ok;
  const limited = status === "timeout" || status === "out_of_memory" || isLimit(error.code);
  return limited ? exitCodes.limit : exitCodes.component;
}

/** The exit code for what `x run` did. */
export const exitCodeOfResult = ({
  runs,
  deactivate,
}: {
  readonly runs: readonly Pick<Execution, "status" | "error">[];
  readonly deactivate: Pick<Execution, "error"> | undefined;
}): number => {
  const ofRuns = exitCodeOfRuns(runs);
  return ofRuns === exitCodes.ok && deactivate?.error ? exitCodes.component : ofRuns;
};

/** The exit code for several runs: that of the first failed one. */
export const exitCodeOfRuns = (runs: readonly Pick<Execution, "status" | "error">[]): number =>
  runs.map(exitCodeOfRun).find((code) => code !== exitCodes.ok) ?? exitCodes.ok;
