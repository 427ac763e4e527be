import { parseArgs } from "node:util";

import { findNearest } from "./nearest.ts";
import { UsageError } from "../errors.ts";

/** A flag of a command. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** Another name that means the same; help and completion do not show it. */
  readonly alias?: string;
  /** Placeholder of its value in the help; a flag without one is on or off. */
  readonly value?: string;
  readonly about: string;
}

/** The arguments of a command: operands and flags. */
export class Arguments {
  readonly operands: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(operands: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.operands = operands;
    this.#values = values;
  }

  /** True when the flag is set. */
  has(flag: string): boolean {
    return this.#values.has(flag);
  }

  /** The last value of the flag. */
  text(flag: string): string | undefined {
    return this.all(flag).at(-1);
  }

  /** Every value, in order. */
  all(flag: string): readonly string[] {
    return this.#values.get(flag) ?? [];
  }

  /** The last value of the flag, parsed. */
  read<Value>(flag: string, parse: (flag: string, text: string) => Value): Value | undefined {
    const text = this.text(flag);
    return text === undefined ? undefined : parse(flag, text);
  }
}

const isNegativeNumber = (word: string): boolean => /^-[\d.]/.test(word) && Number.isFinite(Number(word));

/** Parses the arguments of a command. Throws `UsageError` for an unknown flag, with the nearest known one. */
export function parseArguments(flags: readonly Flag[], words: readonly string[]): Arguments {
  const known = new Map(
    flags.flatMap((flag) => [flag.name, ...(flag.alias === undefined ? [] : [flag.alias])].map((name) => [name, flag])),
  );
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      [...known].map(([name, { value }]) => [name, { type: value === undefined ? "boolean" : "string" } as const]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const operands: string[] = [];
  const values = new Map<string, string[]>();
  let last = -1;
  for (const token of tokens) {
    const word = words[token.index] ?? "";
    const isSame = token.index === last;
    last = token.index;
    // A negative number is an operand, though `parseArgs` reads its digits as flags.
    if (token.kind === "positional" || (token.kind === "option" && isNegativeNumber(word))) {
      if (!isSame) operands.push(word);
      continue;
    }
    if (token.kind !== "option") continue;
    const flag = known.get(token.name);
    if (!flag) {
      const nearest = findNearest(token.name, known.keys());
      throw new UsageError(`Unknown flag ${token.rawName}${nearest ? `; did you mean --${nearest}?` : ""}`);
    }
    const { value, inlineValue } = token;
    if (flag.value === undefined) {
      if (value !== undefined) throw new UsageError(`--${flag.name} takes no value`);
      values.set(flag.name, []);
    } else if (value === undefined || value === "" || (!inlineValue && value.startsWith("--"))) {
      throw new UsageError(`--${flag.name} needs a value: --${flag.name} ${flag.value}`);
    } else values.set(flag.name, [...(values.get(flag.name) ?? []), value]);
  }
  return new Arguments(operands, values);
}
