import type { Arguments } from "../arguments/arguments.ts";
import { hintOf } from "../arguments/nearest.ts";
import { UsageError } from "../errors.ts";

/** The subcommands of a command with the names of their operands; [NAME] is optional, and NAME… may be repeated. */
export type Subcommands<Subcommand extends string> = { readonly [subcommand in Subcommand]: readonly string[] };

/** The subcommand among the operands, and the operands after it. Throws `UsageError` for too few and too many. */
export function readSubcommand<Subcommand extends string>(
  command: string,
  subcommands: Subcommands<Subcommand>,
  args: Arguments,
): { readonly subcommand: Subcommand; readonly operands: readonly string[] } {
  const known = Object.keys(subcommands) as Subcommand[];
  const [word, ...operands] = args.operands;
  if (word === undefined) throw new UsageError(`Which one: x ${command} ${known.join("|")}?`);
  const subcommand = known.find((each) => each === word);
  if (subcommand === undefined)
    throw new UsageError(`There is no x ${command} ${word}; ${hintOf(word, known, `x ${command} `)}`);
  const names = subcommands[subcommand];
  const missing = names.slice(operands.length).find((name) => !name.startsWith("["));
  if (missing !== undefined) throw new UsageError(`Which ${missing}: x ${[command, subcommand, ...names].join(" ")}?`);
  const extra = names.at(-1)?.endsWith("…]") ? undefined : operands[names.length];
  if (extra !== undefined)
    throw new UsageError(`"${extra}" is one argument too many: x ${[command, subcommand, ...names].join(" ")}`);
  return { subcommand, operands };
}

/** Throws `UsageError` for flags of another subcommand. */
export function rejectFlags(args: Arguments, owner: string, flags: readonly string[]): void {
  const misplaced = flags.find((flag) => args.has(flag));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} is a flag of ${owner}`);
}
