import type { LogRecord, ObservedCall } from "@x/runtime";

import { withNetworkHint } from "../run/network-hint.ts";
import { safeText as printable } from "./terminal-text.ts";

/** More of one thing floods a terminal. */
const mostShown = 4_000;

/** Text that is safe to print, and not endless. */
export function safeText(text: string): string {
  if (text.length <= mostShown) return printable(text);
  const rest = text.length - mostShown;
  return `${printable(text.slice(0, mostShown)).replace(/[\ud800-\udbff]$/, "")}… (${rest} more characters; --json has them)`;
}

/** Why a request had no answer. Its URL is told already. */
const whyNot = (error: string): string => withNetworkHint(error.replace(/^Request to \S+ failed/, "failed"));

/** A request that a component made. */
export const callLine = ({ method, url, status, error }: ObservedCall): string =>
  safeText(`  http   ${method} ${url} -> ${status ?? (error === undefined ? "not awaited" : whyNot(error))}`);

/** A line that a component logged. */
export function logLine({ k, msg, context }: LogRecord): string {
  const level = k.replace(/^console\./, "");
  return safeText(`  ${level.padEnd(5)}${context === undefined ? "" : `  [${context}]`}  ${msg ?? ""}`);
}

/** Errors have their own place. */
export const printed = (logs: readonly LogRecord[]): LogRecord[] => logs.filter(({ k }) => k !== "err");

/** Why `$auth` was empty. */
export const accountLine = (prop: string): string =>
  safeText(`    Prop "${prop}" has no account, so its $auth is empty: --accounts FILE`);
