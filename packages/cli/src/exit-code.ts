import type { ErrorCode, Execution } from "@x/runtime";

import { isToldError } from "./terminal/told-error.ts";
import { EnvironmentError, UsageError } from "./given/usage-error.ts";

/** What the exit code of x says; scripts rely on it. */
export const exitCodes = { ok: 0, component: 1, usage: 2, limit: 3, environment: 4 } as const;

const limitCodes: ReadonlySet<string> = new Set<ErrorCode>(["sandbox_timeout", "sandbox_out_of_memory"]);
const componentCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "invalid_component",
  "invalid_workflow",
  "bundle_failed",
  "package_unresolved",
  "package_refused",
  "package_too_large",
  "package_integrity",
  "package_native",
  "package_failed",
  "hook_failed",
  "component_threw",
  "no_response",
  "additional_props_failed",
  "invalid_result",
  "component_url_failed",
  "account_missing",
  "account_failed",
]);
const usageCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "invalid_props",
  "invalid_options",
  "missing_parameter",
  "invalid_parameter",
  "username_taken",
  "not_found",
  "key_conflict",
  "invalid_json",
  "inactive",
  "account_in_use",
  "db_value_too_large",
  "payload_too_large",
]);

/** The exit code for a failure with this code. */
export function exitCodeOfCode(code: ErrorCode): number {
  if (limitCodes.has(code)) return exitCodes.limit;
  if (componentCodes.has(code)) return exitCodes.component;
  return usageCodes.has(code) ? exitCodes.usage : exitCodes.environment;
}

/** The exit code for a failure that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof EnvironmentError || !isToldError(error)) return exitCodes.environment;
  if (limitCodes.has(String(error.details["error_code"]))) return exitCodes.limit;
  return exitCodeOfCode(error.code);
}

/** The exit code for one finished run. */
function exitCodeOfRun({ status, error }: Pick<Execution, "status" | "error">): number {
  if (!error) return exitCodes.ok;
  const limited = status === "timeout" || status === "out_of_memory" || limitCodes.has(error.code);
  return limited ? exitCodes.limit : exitCodes.component;
}

/** The exit code for several: that of the first which did not go well. */
export const exitCodeOfRuns = (runs: readonly Pick<Execution, "status" | "error">[]): number =>
  runs.map(exitCodeOfRun).find((code) => code !== exitCodes.ok) ?? exitCodes.ok;
