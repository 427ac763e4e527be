import type { Command } from "./command.ts";
import type { Flag } from "./arguments/arguments.ts";

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

const flagRow = ({ name, value, about }: Flag): readonly [string, string] => [
  `--${name}${value === undefined ? "" : ` ${value}`}`,
  about,
];

/** The help of one command. */
export function commandHelp(command: Command): string {
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

/** The commands by purpose. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  ["Write components", ["new", "dev", "run", "test", "lint", "check", "types", "publish"]],
  ["Serve them", ["serve", "users", "secret-key", "demo"]],
  [
    "Use a running service",
    [
      "deploy",
      "apply",
      "diff",
      "components",
      "sources",
      "events",
      "logs",
      "runs",
      "db",
      "data-stores",
      "webhooks",
      "subscriptions",
      "accounts",
      "apps",
    ],
  ],
];

function commandGroups(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = (names: readonly string[]): string[] =>
    names.flatMap((name) => {
      const command = commands.find((each) => each.name === name);
      return command ? [`  ${name.padEnd(width)}  ${command.about}`] : [];
    });
  const grouped = new Set(groups.flatMap(([, names]) => names));
  const others = commands.map(({ name }) => name).filter((name) => !grouped.has(name));
  return [...groups, ["More", others] as const]
    .map(([title, names]) => [`${title}:`, ...lines(names)])
    .filter((group) => group.length > 1)
    .map((group) => group.join("\n"))
    .join("\n\n");
}

/** The help of x. */
export function generalHelp(commands: readonly Command[], version: string): string {
  return [
    `x ${version}: write event source components, and run them`,
    "Usage: x COMMAND [arguments]",
    commandGroups(commands),
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
