import type { DataOf } from "@x/client";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { columns, printResult } from "./output.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { readSubcommand } from "./subcommand.ts";

const subcommands = { ls: ["[WORD…]"] } as const;

type Entry = DataOf<"GET /components/registry">[number];

const rowOf = ({ key, version = "", type, apps = [], state, problem }: Entry): string[] => [
  key,
  version,
  type,
  apps.join(", "),
  problem ? `${state}: ${problem.message}` : state,
];

/** How many components are in each state. */
function summaryOf(entries: readonly Entry[]): string {
  const count = (state: Entry["state"]): number => entries.filter((each) => each.state === state).length;
  return `${entries.length} components: evaluated ${count("evaluated")}, known by their text ${count("known")}, refused ${count("refused")}`;
}

function readType(flag: string, text: string): Entry["type"] {
  if (text === "source" || text === "action") return text;
  throw new UsageError(`--${flag} needs source or action, got "${text}"`);
}

async function components(args: Arguments): Promise<number> {
  const { operands } = readSubcommand("components", subcommands, args);
  const app = args.text("app");
  const type = args.read("type", readType);
  const query = {
    ...(operands.length > 0 && { q: operands.join(" ") }),
    ...(app !== undefined && { app }),
    ...(type !== undefined && { type }),
  };
  const found = await readClient(args).list("GET /components/registry", { query });
  const code = printResult(args, found, columns(found.map(rowOf)));
  if (!args.has("json") && found.length > 0) console.error(summaryOf(found));
  return code;
}

/** `x components`: the registry of a service. */
export const componentsCommand: Command = {
  operands: "ls [WORD…]",
  details: [
    "Words select by key, name and description. A component is known as soon as its text is read; it is evaluated when",
    "somebody asks for it or deploys it, and in the background.",
  ].join("\n"),
  flags: [
    { name: "app", value: "APP", about: "those that use accounts of this app" },
    { name: "type", value: "TYPE", about: "source or action" },
    ...serviceFlags,
  ],
  examples: ["x components ls", "x components ls new order --app shopify", "x components ls --type source --json"],
  run: components,
};
