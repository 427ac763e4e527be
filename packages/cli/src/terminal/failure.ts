import type { LogRecord, ObservedCall, Problem, XError } from "@x/runtime";

import { accountLine, callLine, logLine, printed, withNetworkHint } from "./trace-lines.ts";
import { EnvironmentError, isCodedError, UsageError } from "../errors.ts";
import { hanging } from "./visible.ts";

const indent = (text: string, by: string): string => text.replaceAll(/^/gm, by);

/** A problem with its place and, when it is known, the author's line. */
function problemText({ path, message, frame }: Problem & { readonly frame?: unknown }): string[] {
  return [
    hanging(`  ${[path, message].filter((part) => part !== "").join("  ")}`, "    "),
    ...(typeof frame === "string" ? [indent(frame, "    ")] : []),
  ];
}

/** What a hook did before it failed. */
function hookTrace({ details: { calls = [], observations = [] } }: XError): string[] {
  return [
    ...(calls as readonly ObservedCall[]).map(callLine),
    ...printed(observations as readonly LogRecord[]).map(logLine),
  ];
}

/** An error of the runtime: its code and text, then every problem with its path and the author's line. */
function runtimeFailure(error: XError): string {
  const { errors = [], stack, frame, error_code: inner, hint: told } = error.details;
  const lines = typeof stack === "string" ? stack.split("\n") : [];
  const trace = [
    ...lines.filter((line) => /^\s+at /.test(line)),
    ...lines.filter((line) => line.startsWith("Caused by: ")).map((line) => `  ${withNetworkHint(line)}`),
    ...(typeof frame === "string" ? [indent(frame, "    ")] : []),
  ];
  const code = typeof inner === "string" ? `${error.code}, ${inner}` : error.code;
  // The text repeats the first problems; they follow with their places.
  const repeated = errors[0] ? error.message.indexOf(errors[0].message) : -1;
  const headline = repeated > 0 ? error.message.slice(0, repeated).trimEnd() : error.message;
  const isMissing = error.code === "invalid_props" && errors.some(({ message }) => message.includes(" is missing"));
  const isRead = errors.some(({ message }) => /must be a string, got (?:-?\d|true|false|null|[[{]|an? )/.test(message));
  const hint = [
    ...(typeof told === "string" ? [hanging(`  hint: ${told}`, "  ")] : []),
    ...(error.code === "invalid_props" && isRead
      ? [`  What is JSON is read as JSON: --props 'NAME="5"' gives a text of digits.`]
      : []),
    ...(isMissing ? ["  Props are given with --props NAME=VALUE."] : []),
    ...(error.code === "store_locked" ? ["  Stop that process, or choose another folder with --data DIR."] : []),
  ];
  const before = error.code === "hook_failed" ? hookTrace(error) : [];
  const without = (error.details["without_account"] ?? []) as readonly string[];
  return [
    ...before,
    hanging(`error[${code}]: ${headline}`, "  "),
    ...errors.flatMap(problemText),
    ...hint,
    ...trace,
    ...without.map(accountLine),
  ].join("\n");
}

/** What a person is told about a failure: one line where one is enough. */
export function failureText(error: unknown): string {
  if (isCodedError(error)) return runtimeFailure(error);
  if (error instanceof UsageError || error instanceof EnvironmentError) return hanging(`error: ${error.message}`, "  ");
  const told = error instanceof Error ? `unexpected: ${error.stack ?? error.message}` : String(error);
  return hanging(`error: ${told}`, "  ");
}

/** A failure for programs: every command prints it on one line. */
export interface FailureJson {
  readonly error: { readonly code: string; readonly message: string; readonly details: object };
  readonly exit_code: number;
}

/** The same as one JSON document. */
export function failureJson(error: unknown, exitCode: number): FailureJson {
  const kind = error instanceof UsageError ? "usage" : error instanceof EnvironmentError ? "environment" : "unexpected";
  const told = isCodedError(error)
    ? { code: error.code, message: error.message, details: error.details }
    : { code: kind, message: error instanceof Error ? error.message : String(error), details: {} };
  return { error: told, exit_code: exitCode };
}
