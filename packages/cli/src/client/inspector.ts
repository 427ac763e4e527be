import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { printResult } from "./output.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { readSubcommand } from "./subcommand.ts";

const subcommands = { link: [] } as const;

async function inspector(args: Arguments): Promise<number> {
  readSubcommand("inspector", subcommands, args);
  const client = readClient(args);
  const { token, expires_at: expiresAt } = await client.ask("POST /sessions/tokens");
  const url = `${client.where}/#/sign-in?token=${token}`;
  return printResult(args, { url, expires_at: expiresAt }, url);
}

/** `x inspector`: links to the inspector of a service. */
export const inspectorCommand: Command = {
  operands: "link",
  details: [
    "The link works once, for 30 minutes, and signs in the first user, whose API key this needs. The one that x serve",
    "prints at its start is of the same kind.",
  ].join("\n"),
  flags: serviceFlags,
  examples: ["x inspector link", "x inspector link --to https://hooks.example.com --json"],
  run: inspector,
};
