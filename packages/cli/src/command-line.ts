import { Arguments, parseArguments } from "./arguments/arguments.ts";
import type { Command } from "./command.ts";
import type { Crash } from "./crash.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { failureJson, failureText } from "./terminal/failure.ts";
import { fitColumns } from "./terminal/fit-columns.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { findNearest } from "./arguments/nearest.ts";
import { jsonText, safeText } from "./terminal/visible.ts";
import { isCodedError, UsageError } from "./errors.ts";
import { readVersion } from "./version.ts";

/** The commands of x. Each is loaded when it is used: loading modules takes most of the time of a short command. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["new", async () => (await import("./new/new.ts")).newCommand],
  ["dev", async () => (await import("./dev/dev.ts")).devCommand],
  ["run", async () => (await import("./run/run.ts")).runCommand],
  ["lint", async () => (await import("./lint/lint.ts")).lintCommand],
  ["check", async () => (await import("./check/check.ts")).checkCommand],
  ["test", async () => (await import("./run-tests.ts")).testCommand],
  ["serve", async () => (await import("./serve/serve.ts")).serveCommand],
  ["publish", async () => (await import("./publish.ts")).publishCommand],
  ["nodes", async () => (await import("./client/nodes.ts")).nodesCommand],
  ["users", async () => (await import("./users/users.ts")).usersCommand],
  ["secret-key", async () => (await import("./secret-key.ts")).secretKeyCommand],
  ["doctor", async () => (await import("./doctor/doctor.ts")).doctorCommand],
  ["backup", async () => (await import("./data/backup.ts")).backupCommand],
  ["restore", async () => (await import("./data/restore.ts")).restoreCommand],
  ["export", async () => (await import("./data/export.ts")).exportCommand],
  ["import", async () => (await import("./data/import.ts")).importCommand],
  ["demo", async () => (await import("./demo.ts")).demoCommand],
  ["apply", async () => (await import("./apply/apply.ts")).applyCommand],
  ["diff", async () => (await import("./apply/apply.ts")).diffCommand],
  ["deploy", async () => (await import("./deploy/deploy.ts")).deployCommand],
  ["components", async () => (await import("./client/components.ts")).componentsCommand],
  ["sources", async () => (await import("./client/sources.ts")).sourcesCommand],
  ["listen", async () => (await import("./listen/listen.ts")).listenCommand],
  ["types", async () => (await import("./types/types-command.ts")).typesCommand],
  ["events", async () => (await import("./client/events.ts")).eventsCommand],
  ["logs", async () => (await import("./client/events.ts")).logsCommand],
  ["runs", async () => (await import("./client/runs.ts")).runsCommand],
  ["db", async () => (await import("./client/db.ts")).dbCommand],
  ["data-stores", async () => (await import("./client/data-stores.ts")).dataStoresCommand],
  ["webhooks", async () => (await import("./client/webhooks.ts")).webhooksCommand],
  ["subscriptions", async () => (await import("./client/subscriptions.ts")).subscriptionsCommand],
  ["accounts", async () => (await import("./client/accounts.ts")).accountsCommand],
  ["inspector", async () => (await import("./client/inspector.ts")).inspectorCommand],
  ["apps", async () => (await import("./client/apps.ts")).appsCommand],
  ["completion", async () => (await import("./completion/completion.ts")).completionCommand(everyCommand)],
  ["explain", async () => (await import("./explain/explain.ts")).explainCommand],
]);

const everyCommand = (): Promise<Command[]> => Promise.all([...commands.values()].map((load) => load()));

/** Commands with this subcommand, such as `sources deploy`. */
async function findBySubcommand(word: string): Promise<string[]> {
  const found = (await everyCommand()).filter(({ operands }) =>
    operands.split("|").some((form, _, forms) => forms.length > 1 && form.trim().split(" ")[0] === word),
  );
  return found.map(({ name }) => `x ${name} ${word}`);
}

async function findCommand(name: string): Promise<Command> {
  const load = commands.get(name);
  if (load) return load();
  const nearest = findNearest(name, [...commands.keys(), "--version", "--help"]);
  const suggestions = nearest === undefined ? await findBySubcommand(name) : [`x ${nearest}`];
  const hint = suggestions.length === 0 ? "" : ` did you mean ${suggestions.join(" or ")}?`;
  throw new UsageError(`Unknown command "${name}";${hint} x --help lists all`);
}

const isVersion = (text: string): boolean => ["--version", "-v", "-V", "version"].includes(text);

const isHelp = (text: string | undefined): boolean => text === "--help" || text === "-h";

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
    printHelp(generalHelp(await everyCommand(), readVersion()));
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
    const command = await commands.get(name)?.();
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
