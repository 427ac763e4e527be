import { Arguments, parseArguments } from "./arguments/arguments.ts";
import { isHelp } from "./arguments/help-word.ts";
import type { NamedCommand } from "./command.ts";
import { commandGroups, commandNames, everyCommand, loadCommand } from "./commands.ts";
import type { Crash } from "./crash.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { failureJson, failureText } from "./terminal/failure.ts";
import { fitColumns } from "./terminal/fit-columns.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { findNearest } from "./arguments/nearest.ts";
import { jsonText, safeText } from "./terminal/visible.ts";
import { isCodedError, UsageError } from "./errors.ts";
import { readVersion } from "./version.ts";

/** Commands with this subcommand, such as `sources deploy`. */
async function findBySubcommand(word: string): Promise<string[]> {
  const found = (await everyCommand()).filter(({ operands }) =>
    operands.split("|").some((form, _, forms) => forms.length > 1 && form.trim().split(" ")[0] === word),
  );
  return found.map(({ name }) => `x ${name} ${word}`);
}

async function findCommand(name: string): Promise<NamedCommand> {
  const command = await loadCommand(name);
  if (command) return command;
  const nearest = findNearest(name, [...commandNames, "--version", "--help"]);
  const suggestions = nearest === undefined ? await findBySubcommand(name) : [`x ${nearest}`];
  const hint = suggestions.length === 0 ? "" : ` did you mean ${suggestions.join(" or ")}?`;
  throw new UsageError(`Unknown command "${name}";${hint} x --help lists all`);
}

const isVersion = (text: string): boolean => ["--version", "-v", "-V", "version"].includes(text);

/** Prints help, fitted to the width of the terminal. */
const printHelp = (text: string): void =>
  console.log(process.stdout.isTTY ? fitColumns(text, process.stdout.columns) : text);

async function execute(args: readonly string[], crash: Crash | undefined): Promise<number> {
  const [name, ...rest] = args;
  const [topic] = rest;
  if (name === "help" && topic !== undefined) {
    printHelp(commandHelp(await findCommand(topic)));
    return exitCodes.ok;
  }
  if (name === undefined || name === "help" || isHelp(name)) {
    printHelp(generalHelp(commandGroups, readVersion()));
    return name === undefined ? exitCodes.usage : exitCodes.ok;
  }
  if (isVersion(name)) {
    console.log(readVersion());
    return exitCodes.ok;
  }
  const command = await findCommand(name);
  if (rest.some(isHelp)) {
    printHelp(commandHelp(command));
    return exitCodes.ok;
  }
  return command.run(command.passesOn ? new Arguments(rest, new Map()) : parseArguments(command.flags, rest), crash);
}

/**
 * Runs one command line; resolves with the exit code. Prints failures on standard error, with --json as JSON on standard output.
 * `crash` is that of a process that runs nothing else.
 */
export async function runCommandLine(args: readonly string[], crash?: Crash): Promise<number> {
  try {
    return await execute(args, crash);
  } catch (error) {
    const [name = "", ...rest] = args;
    const command = await loadCommand(name);
    if (rest.includes("--json") && (command?.flags.some((flag) => flag.name === "json") ?? true)) {
      const exitCode = exitCodeOf(error);
      console.log(jsonText(failureJson(error, exitCode)));
      return exitCode;
    }
    console.error(safeText(failureText(error)));
    if (error instanceof UsageError && command) console.error(`See x ${name} --help.`);
    // Only in a terminal: logs have the code.
    if (isCodedError(error) && process.stderr.isTTY) console.error(`See x explain ${error.code}.`);
    return exitCodeOf(error);
  }
}
