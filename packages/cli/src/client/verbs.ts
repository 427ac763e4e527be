import type { Arguments } from "../given/arguments.ts";
import { hintOf } from "../given/nearest.ts";
import { UsageError } from "../errors.ts";

/** What a verb of a command takes: the names of its operands. One in brackets may be left out, one with … repeated. */
export type Verbs<Verb extends string> = { readonly [verb in Verb]: readonly string[] };

/** The verb among the operands with the operands that follow it. Throws `UsageError` for too few and too many. */
export function readVerb<Verb extends string>(
  command: string,
  verbs: Verbs<Verb>,
  given: Arguments,
): { readonly verb: Verb; readonly operands: readonly string[] } {
  const known = Object.keys(verbs) as Verb[];
  const [word, ...operands] = given.operands;
  if (word === undefined) throw new UsageError(`Which one: x ${command} ${known.join("|")}?`);
  const verb = known.find((each) => each === word);
  if (verb === undefined)
    throw new UsageError(`There is no x ${command} ${word}; ${hintOf(word, known, `x ${command} `)}`);
  const names = verbs[verb];
  const missing = names.slice(operands.length).find((name) => !name.startsWith("["));
  if (missing !== undefined) throw new UsageError(`Which ${missing}: x ${[command, verb, ...names].join(" ")}?`);
  const stranger = names.at(-1)?.endsWith("…]") ? undefined : operands[names.length];
  if (stranger !== undefined)
    throw new UsageError(`"${stranger}" is one too many: x ${[command, verb, ...names].join(" ")}`);
  return { verb, operands };
}

/** Throws `UsageError` for flags that another verb has. */
export function refuseFlags(given: Arguments, owner: string, flags: readonly string[]): void {
  const misplaced = flags.find((flag) => given.has(flag));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} goes with ${owner}`);
}
