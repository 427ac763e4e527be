import type { GuestError, Json, LogRecord } from "../model.ts";
import type { Resident } from "../lane/residents.ts";
import type { Entry, GuestLog } from "../sandbox/contract.ts";
import { maskWith, type SecretMask, secretMask } from "./secret-mask.ts";

/** A call after it ended, for what it tells people. */
export interface Reported {
  readonly executionId: string;
  readonly entry: Entry;
  readonly logs: readonly GuestLog[];
  readonly error: GuestError | undefined;
  /** Credentials that the call could read. */
  readonly auth: { readonly [prop: string]: Json };
}

export interface ReportRules {
  /** Maps a stack of the bundle to the author's files. */
  mapStack(stack: string, resident: Resident): string;
  /** The file name in stacks of the bundle. */
  readonly bundleFile: string;
}

export interface Report {
  readonly error: GuestError | undefined;
  readonly logs: LogRecord[];
  /** For what else of the call is shown. */
  readonly mask: SecretMask;
}

const hooks: readonly Entry[] = ["deploy", "activate", "deactivate"];

/** The error with the runtime's code as name when nothing was thrown (S22, S23). */
function reportError(error: GuestError, resident: Resident, rules: ReportRules, mask: SecretMask): GuestError {
  const thrown = error.code === "component_threw" || error.code === "sandbox_crashed";
  return {
    code: error.code,
    name: thrown ? mask.text(error.name) : error.code,
    message: mask.text(error.message),
    stack: mask.text(rules.mapStack(error.stack === "" ? `${error.name}: ${error.message}` : error.stack, resident)),
  };
}

function contextOf(entry: Entry): { readonly context?: string } {
  if (entry === "run") return {};
  return { context: hooks.includes(entry) ? `hook.${entry}` : entry };
}

function logRecord(log: GuestLog, { executionId, entry }: Reported, mask: SecretMask): LogRecord {
  return {
    k: `console.${log.level}`,
    ts: log.at,
    msg: mask.text(log.msg),
    data: mask.value(JSON.parse(log.data) as Json[]) as Json[],
    execution_id: executionId,
    ...contextOf(entry),
  };
}

/** Error and logs of a call, with stacks in the author's files and secrets hidden (S16). */
export function report(resident: Resident, reported: Reported, rules: ReportRules): Report {
  const mask = secretMask(resident.component, resident.source, reported.auth);
  const logMask = maskWith((text) =>
    mask.text(text.includes(`${rules.bundleFile}:`) ? rules.mapStack(text, resident) : text),
  );
  return {
    mask,
    error: reported.error && reportError(reported.error, resident, rules, mask),
    logs: reported.logs.map((log) =>
      logRecord(log, reported, (log.msg + log.data).includes(rules.bundleFile) ? logMask : mask),
    ),
  };
}
