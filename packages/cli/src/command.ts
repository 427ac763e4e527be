import type { Arguments, Flag } from "./arguments/arguments.ts";
import type { Crash } from "./crash.ts";

/** A command of x, which gets its name in `commands.ts`. */
export interface Command {
  /** The operands in the usage line of the help. */
  readonly operands: string;
  /** More lines of help. */
  readonly details?: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** Passes every argument on to another program; only --help is read. */
  readonly passesOn?: true;
  /** Runs the command; resolves with the exit code. */
  run(args: Arguments, crash?: Crash): Promise<number>;
}

/** A command as its user knows it. */
export interface NamedCommand extends Command {
  readonly name: string;
  /** One line of help. */
  readonly about: string;
}
