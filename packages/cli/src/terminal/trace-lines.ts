import type { LogRecord, ObservedCall } from "@x/runtime";

import { hanging, inLine } from "./visible.ts";

/** The reason of a failed request, with the flag that allows it if there is one. */
export const withNetworkHint = (reason: string): string =>
  /(?:loopback|private|uniqueLocal) addresses are denied/.test(reason)
    ? `${reason} (--network allow-private opens them)`
    : reason;

/** Longer texts are cut. */
const maxShown = 4_000;

function cut(text: string, shown: (text: string) => string): string {
  if (text.length <= maxShown) return shown(text);
  const rest = text.length - maxShown;
  return `${shown(text.slice(0, maxShown)).replace(/[\ud800-\udbff]$/, "")}… (${rest} more characters; --json has them)`;
}

/** A line, safe to print and cut when it is very long. */
export const shownLine = (text: string): string => cut(text, inLine);

/** A text of several lines, those after the first indented; safe to print and cut when it is very long. */
export const shownText = (text: string, by: string): string => cut(text, (kept) => hanging(kept, by));

/** The reason of a failed request, without its URL, which is printed already. */
const reasonOf = (error: string): string => withNetworkHint(error.replace(/^Request to \S+ failed/, "failed"));

/** A request that a component made. */
export const callLine = ({ method, url, status, error }: ObservedCall): string =>
  shownLine(`  http   ${method} ${url} -> ${status ?? (error === undefined ? "not awaited" : reasonOf(error))}`);

/** A line that a component logged. */
export function logLine({ k, msg, context }: LogRecord): string {
  const level = k.replace(/^console\./, "");
  return shownText(`  ${level.padEnd(5)}${context === undefined ? "" : `  [${context}]`}  ${msg ?? ""}`, "    ");
}

/** The records without errors, which are printed separately. */
export const withoutErrors = (logs: readonly LogRecord[]): LogRecord[] => logs.filter(({ k }) => k !== "err");

/** A line about an app prop without an account. */
export const accountLine = (prop: string): string =>
  shownLine(`    Prop "${prop}" has no account, so its $auth is empty: --accounts FILE`);
