import type { Flag } from "./arguments/arguments.ts";
import type { NamedCommand } from "./command.ts";
import type { CommandGroup } from "./commands.ts";

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

const flagRow = ({ name, value, about }: Flag): readonly [string, string] => [
  `--${name}${value === undefined ? "" : ` ${value}`}`,
  about,
];

/** The help of one command. */
export function commandHelp(command: NamedCommand): string {
  const usage = ["x", command.name, command.operands, command.flags.length > 0 ? "[flags]" : ""].filter(
    (part) => part !== "",
  );
  return [
    `${command.about}.`,
    `Usage: ${usage.join(" ")}`,
    ...(command.details === undefined ? [] : [command.details]),
    `Flags:\n${table([...command.flags.map(flagRow), ["--help", "show this help"]])}`,
    `Examples:\n${command.examples.map((example) => `  ${example}`).join("\n")}`,
  ].join("\n\n");
}

function groupText({ title, commands }: CommandGroup, width: number): string {
  return [`${title}:`, ...commands.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`)].join("\n");
}

/** The help of x. */
export function generalHelp(groups: readonly CommandGroup[], version: string): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)));
  return [
    `x ${version}: write event source components, and run them`,
    "Usage: x COMMAND [arguments]",
    ...groups.map((group) => groupText(group, width)),
    "x COMMAND --help shows more.",
    `Exit codes:\n${table([
      ["0", "done"],
      ["1", "the component failed"],
      ["2", "the command line is wrong"],
      ["3", "the component hit a limit"],
      ["4", "the environment is the problem: a port, a data folder, a disk, a service that does not answer"],
    ])}`,
  ].join("\n\n");
}
