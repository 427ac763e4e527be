import { type AccountFields, errorCatalogue, type ErrorCode, type RegistryItem } from "@x/runtime";

import { paint } from "../terminal/terminal-text.ts";
import { inLine } from "../terminal/visible.ts";

/** A component that runs, with what the runtime warns of. */
export interface Runnable {
  readonly file: string;
  readonly key: string;
  readonly warnings: readonly { readonly rule: string; readonly message: string }[];
}

export interface CheckResult {
  readonly runnable: readonly Runnable[];
  /** Files that cannot be served. */
  readonly refused: readonly RegistryItem[];
  readonly accounts: readonly AccountFields[];
}

const maxShown = 10;

/** Groups by a text, the largest group first. */
function grouped<T>(items: readonly T[], by: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(by(item), [...(groups.get(by(item)) ?? []), item]);
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length);
}

function someOf<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more = items.length - maxShown;
  return [...items.slice(0, maxShown).map(line), ...(more > 0 ? [`    and ${more} more (--json has all)`] : [])];
}

const fixOf = (code: string): string =>
  Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code as ErrorCode].fix : "";

function refusedLines(refused: readonly RegistryItem[]): string[] {
  return grouped(refused, ({ problem }) => problem?.code ?? "").flatMap(([code, items]) => [
    `  ${paint("red", code)}  ${items.length}`,
    ...someOf(items, ({ file, problem }) => `    ${inLine(file)}: ${inLine(problem?.message ?? "")}`),
    ...(fixOf(code) === "" ? [] : [`    What to do: ${fixOf(code)}`]),
  ]);
}

function warnedLines(warned: readonly Runnable[]): string[] {
  const each = warned.flatMap(({ file, warnings }) => warnings.map((warning) => ({ file, ...warning })));
  return grouped(each, ({ rule }) => rule).flatMap(([rule, items]) => [
    `  ${paint("yellow", rule)}  ${items.length}  (x explain ${rule})`,
    ...someOf(items, ({ file, message }) => `    ${inLine(file)}: ${inLine(message)}`),
  ]);
}

/** A titled part; nothing without lines. */
const part = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", paint("bold", title), ...lines];

/** The result as lines of text. */
export function reportLines({ runnable, refused, accounts }: CheckResult): string[] {
  const warned = runnable.filter(({ warnings }) => warnings.length > 0);
  return [
    `${runnable.length - warned.length} run as they are`,
    `${warned.length} run with a warning`,
    `${refused.length} are refused`,
    ...part("Refused", refusedLines(refused)),
    ...part("Warnings", warnedLines(warned)),
    ...part(
      "Accounts that they need",
      accounts.map(
        ({ app, fields, components }) =>
          `  ${inLine(app)}  ${components} components${fields.length === 0 ? "" : `: ${inLine(fields.join(", "))}`}`,
      ),
    ),
  ];
}
