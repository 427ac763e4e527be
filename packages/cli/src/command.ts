import type { Arguments, Flag } from "./arguments/arguments.ts";

/** One command of x. */
export interface Command {
  readonly name: string;
  /** What stands after the name in the help. */
  readonly operands: string;
  /** One line. */
  readonly about: string;
  /** More lines of help. */
  readonly details?: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** Every word is an operand, for the program that gets them; only --help is read. */
  readonly passesOn?: true;
  /** Does it; resolves with the exit code. */
  run(args: Arguments): Promise<number>;
}
