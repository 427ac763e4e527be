import type { DataOf } from "@x/client";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { columns, printResult } from "./output.ts";
import { readClient, serviceFlags } from "./service-flags.ts";

const row = (node: DataOf<"GET /nodes">[number]): string[] => [
  node.id,
  `since ${new Date(node.since * 1000).toISOString()}`,
  `${node.sources} sources`,
  `${node.slots} slots`,
  `${node.queue_depth} waiting`,
  `${node.lag_ms} ms behind`,
  node.is_self ? "answers" : "",
];

async function nodes(args: Arguments): Promise<number> {
  const found = await readClient(args).ask("GET /nodes");
  return printResult(args, found, columns(found.map(row)));
}

/** `x nodes`: the processes that share the data of a service. */
export const nodesCommand: Command = {
  operands: "",
  details:
    "With --store several of them can run on one PostgreSQL: docs/postgres.md. Needs the API key of the first user.",
  flags: serviceFlags,
  examples: ["x nodes", "x nodes --to https://hooks.example.com --json"],
  run: nodes,
};
