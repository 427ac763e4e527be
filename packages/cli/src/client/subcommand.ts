import type { Arguments } from "../arguments/arguments.ts";
import { hintOf } from "../arguments/nearest.ts";
import { UsageError } from "../errors.ts";

/** What a verb of a command takes: the names of its operands. One in brackets may be left out, one with … repeated. */
export type Subcommands<Verb extends string> = { readonly [verb in Verb]: readonly string[] };

/** The verb among the operands with the operands that follow it. Throws `UsageError` for too few and too many. */
export function readSubcommand<Verb extends string>(
  command: string,
  verbs: Subcommands<Verb>,
  args: Arguments,
): { readonly verb: Verb; readonly operands: readonly string[] } {
  const known = Object.keys(verbs) as Verb[];
  const [word, ...operands] = args.operands;
  if (word === undefined) throw new UsageError(`Which one: x ${command} ${known.join("|")}?`);
  const verb = known.find((each) => each === word);
  if (verb === undefined)
    throw new UsageError(`There is no x ${command} ${word}; ${hintOf(word, known, `x ${command} `)}`);
  const names = verbs[verb];
  const missing = names.slice(operands.length).find((name) => !name.startsWith("["));
  if (missing !== undefined) throw new UsageError(`Which ${missing}: x ${[command, verb, ...names].join(" ")}?`);
  const extra = names.at(-1)?.endsWith("…]") ? undefined : operands[names.length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one too many: x ${[command, verb, ...names].join(" ")}`);
  return { verb, operands };
}

/** Throws `UsageError` for flags that another verb has. */
export function rejectFlags(args: Arguments, owner: string, flags: readonly string[]): void {
  const misplaced = flags.find((flag) => args.has(flag));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} goes with ${owner}`);
}
