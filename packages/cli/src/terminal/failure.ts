import type { LogRecord, ObservedCall, Problem, XError } from "@x/runtime";

import { accountLine, callLine, logLine, withoutErrors, withNetworkHint } from "./trace-lines.ts";
import { EnvironmentError, isCodedError, messageOf, ServiceError, UsageError } from "../errors.ts";
import { hanging } from "./visible.ts";

const indent = (text: string, by: string): string => text.replaceAll(/^/gm, by);

/** The path of a prop's value, as the runtime and the REST interface write it, as the flag that sets it. */
const propFlag = (path: string): string =>
  path.replace(/^\/(?:props|configured_?[pP]rops)(?:\/|$)/, "--props ").trimEnd();

const missingAccount = /^Prop "([^"]*)" is missing; expected an account of app "([^"]*)"/;
const wrongAccount = /^Prop "([^"]*)" must be \{"authProvisionId": <id of a connected (\S*) account>\}/;

/** A problem of a prop with the flag that repairs it; accounts of a service have names, those of a run are in a file. */
function flagProblem<P extends Problem>(problem: P, isOfService: boolean): P {
  // A place in a config is set there.
  if (!problem.path.startsWith("/")) return problem;
  const [, prop, app] = missingAccount.exec(problem.message) ?? wrongAccount.exec(problem.message) ?? [];
  if (prop === undefined || app === undefined) return { ...problem, path: propFlag(problem.path) };
  const wanted = `Prop "${prop}" needs an account of app "${app}"`;
  return isOfService
    ? { ...problem, path: `--account ${app}=NAME`, message: `${wanted}; x accounts add ${app} adds one` }
    : { ...problem, path: "--accounts FILE", message: `${wanted}: FILE has its credentials` };
}

/** The flag for an account that is not there. */
function accountHint({ code, message }: XError): string[] {
  const app = code === "account_missing" ? /of app "([^"]+)"/.exec(message)?.[1] : undefined;
  return app === undefined ? [] : [`  Give another one with --account ${app}=NAME; x accounts add ${app} adds one.`];
}

/** A problem with its path and, when known, its source line. */
function problemText({ path, message, frame }: Problem & { readonly frame?: unknown }): string[] {
  return [
    hanging(`  ${[path, message].filter((part) => part !== "").join("  ")}`, "    "),
    ...(typeof frame === "string" ? [indent(frame, "    ")] : []),
  ];
}

/** Codes of errors that a component's code threw while it was deployed. */
const ofDeploy: ReadonlySet<string> = new Set(["hook_failed", "additional_props_failed"]);

/** The requests and logs of such code before it failed. */
function hookTrace({ details: { calls = [], observations = [] } }: XError): string[] {
  return [
    ...(calls as readonly ObservedCall[]).map(callLine),
    ...withoutErrors(observations as readonly LogRecord[]).map(logLine),
  ];
}

/** The problems of an error, without one that the message says whole. */
function problemsBeside({ message, details: { errors = [], parameter } }: XError): readonly Problem[] {
  const [first] = errors;
  const isSaid =
    first &&
    errors.length === 1 &&
    (parameter === undefined ? first.message === message : message.includes(first.message));
  return isSaid ? [] : errors;
}

/** An error with a code: code and message, then every problem with its path and source line. */
function codedErrorText(error: XError): string {
  const { stack, frame, error_code: inner, hint: ownHint } = error.details;
  const errors = problemsBeside(error);
  const lines = typeof stack === "string" ? stack.split("\n") : [];
  const trace = [
    ...lines.filter((line) => /^\s+at /.test(line)),
    ...lines.filter((line) => line.startsWith("Caused by: ")).map((line) => `  ${withNetworkHint(line)}`),
    ...(typeof frame === "string" ? [indent(frame, "    ")] : []),
  ];
  const code = typeof inner === "string" ? `${error.code}, ${inner}` : error.code;
  // The message repeats the first problems; they follow with their paths.
  const repeated = errors[0] ? error.message.indexOf(errors[0].message) : -1;
  const headline = repeated > 0 ? error.message.slice(0, repeated).trimEnd() : error.message;
  const isMissing =
    error.code === "invalid_props" &&
    errors.some(({ message }) => message.includes(" is missing") && !missingAccount.test(message));
  const hint = [
    ...(typeof ownHint === "string" ? [hanging(`  hint: ${ownHint}`, "  ")] : []),
    ...(isMissing ? ["  Set props with --props NAME=VALUE."] : []),
    ...accountHint(error),
    ...(error.code === "store_locked" ? ["  Stop that process, or choose another folder with --data DIR."] : []),
  ];
  const before = ofDeploy.has(error.code) ? hookTrace(error) : [];
  const without = (error.details["without_account"] ?? []) as readonly string[];
  return [
    ...before,
    hanging(`error[${code}]: ${headline}`, "  "),
    ...errors
      .map((problem) =>
        error.code === "invalid_props" ? flagProblem(problem, error instanceof ServiceError) : problem,
      )
      .flatMap(problemText),
    ...hint,
    ...trace,
    ...without.map(accountLine),
  ].join("\n");
}

/** A failure as text, on one line when possible. */
export function failureText(error: unknown): string {
  if (isCodedError(error)) return codedErrorText(error);
  if (error instanceof UsageError || error instanceof EnvironmentError) return hanging(`error: ${error.message}`, "  ");
  const text = error instanceof Error ? `unexpected: ${error.stack ?? error.message}` : String(error);
  return hanging(`error: ${text}`, "  ");
}

/** A failure as JSON; every command prints it on one line. */
export interface FailureJson {
  readonly error: { readonly code: string; readonly message: string; readonly details: object };
  readonly exit_code: number;
}

/** A failure as one JSON document. */
export function failureJson(error: unknown, exitCode: number): FailureJson {
  const kind = error instanceof UsageError ? "usage" : error instanceof EnvironmentError ? "environment" : "unexpected";
  const detail = isCodedError(error)
    ? { code: error.code, message: error.message, details: error.details }
    : { code: kind, message: messageOf(error), details: {} };
  return { error: detail, exit_code: exitCode };
}
