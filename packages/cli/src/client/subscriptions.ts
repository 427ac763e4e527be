import type { Subscription } from "@x/client";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { ServiceError } from "../errors.ts";
import { columns, printResult } from "./output.ts";
import { findEmitter, findNamed, listEmitters, type Named } from "./emitters.ts";
import type { RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { listWebhooks, webhookNames } from "./shown-webhook.ts";
import { readSubcommand, rejectFlags } from "./subcommand.ts";

const subcommands = { ls: [], add: ["EMITTER", "LISTENER"], rm: ["EMITTER", "LISTENER"] } as const;

/** Every source and every workflow, later ones included. */
const globs: ReadonlySet<string> = new Set(["dc_*", "p_*"]);

/** The sources, workflows and webhooks of the user. */
const listListeners = async (client: RestClient): Promise<Named[]> => [
  ...(await listEmitters(client)),
  ...(await listWebhooks(client)).map(webhookNames),
];

const findEmitterId = async (client: RestClient, idOrName: string): Promise<string> =>
  globs.has(idOrName) ? idOrName : (await findEmitter(client, idOrName)).id;

async function findListenerId(client: RestClient, idOrName: string): Promise<string> {
  if (/^(?:dc|p|wh)_\w+$/.test(idOrName)) return idOrName;
  return findNamed("source, workflow or webhook", idOrName, await listListeners(client)).id;
}

/** A subscription in a list, with the names of emitter and listener. */
export function subscriptionRow(subscription: Subscription, named: readonly Named[]): string[] {
  const labelOf = (id: string): string => {
    const name = named.find((each) => each.id === id)?.names[0];
    return name === undefined ? id : `${name} (${id})`;
  };
  const { emitter_id: emitter, listener_id: listener, event_name: stream } = subscription;
  return [labelOf(emitter), "->", labelOf(listener), stream];
}

async function list(client: RestClient, args: Arguments): Promise<number> {
  const found = await client.ask("GET /users/me/subscriptions");
  const named = found.length > 0 && !args.has("json") ? await listListeners(client) : [];
  return printResult(args, found, columns(found.map((each) => subscriptionRow(each, named))));
}

async function subscriptions(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("subscriptions", subcommands, args);
  const [emitter = "", listener = ""] = operands;
  if (subcommand === "ls") rejectFlags(args, "x subscriptions add and rm", ["stream"]);
  const client = readClient(args);
  if (subcommand === "ls") return list(client, args);
  const triple = {
    emitter_id: await findEmitterId(client, emitter),
    listener_id: await findListenerId(client, listener),
    event_name: args.text("stream") ?? "",
  };
  if (subcommand === "add") {
    const made = await client.ask("POST /subscriptions", { body: triple });
    return printResult(args, made, columns([subscriptionRow(made, [])]));
  }
  const { event_name: stream } = triple;
  await client.ask("DELETE /subscriptions", { body: triple }).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
    const problem = `${listener} has no subscription to ${stream === "" ? "the default stream" : stream} of ${emitter}`;
    throw new ServiceError({
      error: `${problem}; x subscriptions ls lists all`,
      code: error.code,
      details: {},
    });
  });
  const text = `Deleted ${triple.emitter_id} -> ${triple.listener_id}${stream === "" ? "" : ` ${stream}`}`;
  return printResult(args, { ...triple, deleted: true }, text);
}

/** `x subscriptions`: which listener gets the events of which emitter. */
export const subscriptionsCommand: Command = {
  operands: "ls | add EMITTER LISTENER | rm EMITTER LISTENER",
  details: [
    "EMITTER is the id or the name of a source or workflow, or 'dc_*' (all sources) or 'p_*' (all workflows), later ones",
    "included. LISTENER is the id or the name of a source, workflow or webhook. Adding a subscription twice has no effect.",
    "rm takes the same arguments as add, --stream included.",
  ].join("\n"),
  flags: [
    {
      name: "stream",
      value: "NAME",
      about: "'$errors' (in quotes, for the shell), '$logs' or a channel (default: default)",
    },
    ...serviceFlags,
  ],
  examples: [
    "x subscriptions add http-inbox archive",
    "x subscriptions add 'dc_*' archive --stream '$errors'",
    "x subscriptions ls --json",
    "x subscriptions rm http-inbox archive",
  ],
  run: subscriptions,
};
