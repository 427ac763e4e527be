import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { parseChoice, parseInteger } from "../arguments/quantity.ts";
import { columns, printed } from "./output.ts";
import { findNamed } from "./emitters.ts";
import { pathOf, type RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import {
  deliveryRow,
  keyLines,
  listWebhooks,
  type ShownDelivery,
  type ShownWebhook,
  webhookNames,
  webhookRow,
} from "./shown-webhook.ts";
import { readSubcommand, rejectFlags } from "./subcommand.ts";

const verbs = {
  ls: [],
  add: ["URL"],
  rm: ["ID"],
  "rotate-key": ["ID"],
  deliveries: ["ID"],
  redeliver: ["ID", "DELIVERY"],
} as const;

const defaultCount = 10;
const maxDeliveries = 10_000;

/** The id of a webhook that is given by its id, its name or its URL. */
export async function findWebhookId(client: RestClient, idOrName: string): Promise<string> {
  if (/^wh_\w+$/.test(idOrName)) return idOrName;
  return findNamed("webhook", idOrName, (await listWebhooks(client)).map(webhookNames)).id;
}

async function add(client: RestClient, args: Arguments, url: string): Promise<number> {
  const name = args.text("name");
  const format = args.read("format", (flag, text) => parseChoice(flag, text, ["event", "envelope"]));
  const body = { url, ...(name !== undefined && { name }), ...(format !== undefined && { format }) };
  const webhook = await client.ask<ShownWebhook>("POST", "/webhooks", body);
  return printed(args, webhook, [
    ...keyLines(webhook),
    `Send it events of a source: x subscriptions add SOURCE ${webhook.id}`,
  ]);
}

async function webhooks(args: Arguments): Promise<number> {
  const { verb, operands } = readSubcommand("webhooks", verbs, args);
  const [operand = "", deliveryId = ""] = operands;
  if (verb !== "add") rejectFlags(args, "x webhooks add", ["name", "format"]);
  if (verb !== "deliveries") rejectFlags(args, "x webhooks deliveries", ["limit"]);
  const count = args.read("limit", (flag, text) => parseInteger(flag, text, 1, maxDeliveries)) ?? defaultCount;
  const client = readClient(args);
  if (verb === "ls") {
    const found = await listWebhooks(client);
    return printed(args, found, columns(found.map(webhookRow)));
  }
  if (verb === "add") return add(client, args, operand);
  const id = await findWebhookId(client, operand);
  const path = pathOf("webhooks", id);
  if (verb === "rm") {
    await client.ask("DELETE", path);
    return printed(args, { id, deleted: true }, `Deleted ${id}`);
  }
  if (verb === "rotate-key") {
    const webhook = await client.ask<ShownWebhook>("POST", `${path}/rotate_key`);
    return printed(args, webhook, [...keyLines(webhook), "The key before signs beside it for a day."]);
  }
  if (verb === "deliveries") {
    const found = (await client.list<ShownDelivery>(`${path}/deliveries`, {}, count)).toReversed();
    return printed(args, found, columns(found.map(deliveryRow)));
  }
  const again = await client.ask<ShownDelivery>("POST", `${path}${pathOf("deliveries", deliveryId)}/redeliver`);
  return printed(args, again, columns([deliveryRow(again)]));
}

/** `x webhooks`: URLs that get events. */
export const webhooksCommand: Command = {
  name: "webhooks",
  operands: "ls | add URL | rm ID | rotate-key ID | deliveries ID | redeliver ID DELIVERY",
  about: "Send events to URLs, and see what became of them",
  details: [
    "ID is the id, the name or the URL of a webhook. A new one hears of nothing: x subscriptions add makes it hear.",
    "What it gets is signed as Standard Webhooks describes; the signing key is shown once, when it is made.",
    "deliveries lists the newest, the newest last; redeliver attempts one again now, and lists it as it then stands.",
  ].join("\n"),
  flags: [
    { name: "name", value: "NAME", about: "add: how to call it" },
    { name: "format", value: "FORMAT", about: "add: event, or envelope with what surrounds it (default event)" },
    { name: "limit", value: "COUNT", about: `deliveries: so many (default ${defaultCount})` },
    ...serviceFlags,
  ],
  examples: [
    "x webhooks add https://example.com/hook --name archive",
    "x webhooks ls",
    "x webhooks deliveries archive --limit 20 --json",
    "x webhooks redeliver archive DELIVERY",
    "x webhooks rotate-key archive",
    "x webhooks rm archive",
  ],
  run: webhooks,
};
