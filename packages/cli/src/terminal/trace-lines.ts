import type { LogRecord, ObservedCall } from "@x/runtime";

import { hanging, inLine } from "./visible.ts";

/** A failure's reason, with the flag that takes it away where there is one. */
export const withNetworkHint = (reason: string): string =>
  /(?:loopback|private|uniqueLocal) addresses are denied/.test(reason)
    ? `${reason} (--network allow-private opens them)`
    : reason;

/** More of one thing floods a terminal. */
const maxShown = 4_000;

function cut(text: string, shown: (text: string) => string): string {
  if (text.length <= maxShown) return shown(text);
  const rest = text.length - maxShown;
  return `${shown(text.slice(0, maxShown)).replace(/[\ud800-\udbff]$/, "")}… (${rest} more characters; --json has them)`;
}

/** One line that is safe to print, and not endless. */
export const shownLine = (text: string): string => cut(text, inLine);

/** The same of a text with lines of its own, which are moved in below its first. */
export const shownText = (text: string, by: string): string => cut(text, (kept) => hanging(kept, by));

/** Why a request had no answer. Its URL is told already. */
const whyNot = (error: string): string => withNetworkHint(error.replace(/^Request to \S+ failed/, "failed"));

/** A request that a component made. */
export const callLine = ({ method, url, status, error }: ObservedCall): string =>
  shownLine(`  http   ${method} ${url} -> ${status ?? (error === undefined ? "not awaited" : whyNot(error))}`);

/** A line that a component logged. */
export function logLine({ k, msg, context }: LogRecord): string {
  const level = k.replace(/^console\./, "");
  return shownText(`  ${level.padEnd(5)}${context === undefined ? "" : `  [${context}]`}  ${msg ?? ""}`, "    ");
}

/** Errors have their own place. */
export const printed = (logs: readonly LogRecord[]): LogRecord[] => logs.filter(({ k }) => k !== "err");

/** Why `$auth` was empty. */
export const accountLine = (prop: string): string =>
  shownLine(`    Prop "${prop}" has no account, so its $auth is empty: --accounts FILE`);
