import { version } from "@x/runtime";

import { parseArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { demoCommand } from "./demo.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { failureText } from "./failure.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { findNearest } from "./nearest.ts";
import { publishCommand } from "./publish.ts";
import { runCommand } from "./run.ts";
import { serveCommand } from "./serve.ts";
import { safeText } from "./terminal-text.ts";
import { UsageError } from "./usage-error.ts";
import { usersCommand } from "./users.ts";

/** Every command of x. */
const commands: readonly Command[] = [serveCommand, runCommand, publishCommand, demoCommand, usersCommand];
const laterCommands: ReadonlySet<string> = new Set(["dev", "new"]);

function findCommand(name: string): Command {
  const command = commands.find((each) => each.name === name);
  if (command) return command;
  if (laterCommands.has(name)) throw new UsageError(`x ${name} comes with a later release`);
  const nearest = findNearest(
    name,
    commands.map((each) => each.name),
  );
  throw new UsageError(`Unknown command "${name}"; did you mean x ${nearest}? x --help lists all`);
}

const isHelp = (text: string | undefined): boolean => text === "--help" || text === "-h";

async function execute(given: readonly string[]): Promise<number> {
  const [name, ...rest] = given;
  if (name === undefined || name === "help" || isHelp(name)) {
    console.log(generalHelp(commands, version));
    return name === undefined ? exitCodes.usage : exitCodes.ok;
  }
  if (name === "--version") {
    console.log(version);
    return exitCodes.ok;
  }
  const command = findCommand(name);
  if (rest.some(isHelp)) {
    console.log(commandHelp(command));
    return exitCodes.ok;
  }
  return command.run(parseArguments(command.flags, rest));
}

/** Runs one command line; resolves with the exit code. Failures are told on standard error. */
export async function runCommandLine(given: readonly string[]): Promise<number> {
  try {
    return await execute(given);
  } catch (error) {
    console.error(safeText(failureText(error)));
    const command = commands.find(({ name }) => name === given[0]);
    if (error instanceof UsageError && command) console.error(`x ${command.name} --help tells more.`);
    return exitCodeOf(error);
  }
}
