import type { Flag } from "../arguments/arguments.ts";
import type { NamedCommand } from "../command.ts";

/** A flag as shells complete it. */
export interface ShellFlag {
  readonly name: string;
  readonly about: string;
  readonly takesValue: boolean;
  /** The values that there are; empty for others, which are completed as files. */
  readonly choices: readonly string[];
}

/** A command as shells complete it. */
export interface ShellCommand {
  readonly name: string;
  readonly about: string;
  /** Its subcommands, or the values of its one operand. */
  readonly verbs: readonly string[];
  readonly flags: readonly ShellFlag[];
}

const choicesOf = (text = ""): readonly string[] => (/^[a-z-]+(?:\|[a-z-]+)+$/.test(text) ? text.split("|") : []);

/** The first words of operands such as `ls | show ID`. */
function verbsOf(operands: string): readonly string[] {
  const forms = operands.split("|").map((form) => form.trim().split(" ")[0] ?? "");
  return forms.length > 1 ? forms.filter((word) => /^[a-z-]+$/.test(word)) : [];
}

const shellFlag = ({ name, value, about }: Flag): ShellFlag => ({
  name,
  about,
  takesValue: value !== undefined,
  choices: choicesOf(value),
});

/** The words of a command, from the tables that its help is made of. */
export const shellCommand = ({ name, about, operands, flags }: NamedCommand): ShellCommand => ({
  name,
  about,
  verbs: verbsOf(operands),
  flags: [...flags.map(shellFlag), { name: "help", about: "show this help", takesValue: false, choices: [] }],
});
