import type { Arguments } from "../given/arguments.ts";
import type { Command } from "../command.ts";
import { parseChoice, parseInteger } from "../given/quantity.ts";
import { columns, printed } from "./printed.ts";
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
import { readVerb, refuseFlags } from "./verbs.ts";

const verbs = {
  ls: [],
  add: ["URL"],
  rm: ["ID"],
  "rotate-key": ["ID"],
  deliveries: ["ID"],
  redeliver: ["ID", "DELIVERY"],
} as const;

const defaultCount = 10;
const mostDeliveries = 10_000;

/** The id of a webhook that is given by its id, its name or its URL. */
export async function findWebhookId(client: RestClient, given: string): Promise<string> {
  if (/^wh_\w+$/.test(given)) return given;
  return findNamed("webhook", given, (await listWebhooks(client)).map(webhookNames)).id;
}

async function add(client: RestClient, given: Arguments, url: string): Promise<number> {
  const name = given.text("name");
  const format = given.read("format", (flag, text) => parseChoice(flag, text, ["event", "envelope"]));
  const body = { url, ...(name !== undefined && { name }), ...(format !== undefined && { format }) };
  const webhook = await client.ask<ShownWebhook>("POST", "/webhooks", body);
  return printed(given, webhook, [
    ...keyLines(webhook),
    `Send it events of a source: x subscriptions add SOURCE ${webhook.id}`,
  ]);
}

async function webhooks(given: Arguments): Promise<number> {
  const { verb, operands } = readVerb("webhooks", verbs, given);
  const [operand = "", deliveryId = ""] = operands;
  if (verb !== "add") refuseFlags(given, "x webhooks add", ["name", "format"]);
  if (verb !== "deliveries") refuseFlags(given, "x webhooks deliveries", ["limit"]);
  const count = given.read("limit", (flag, text) => parseInteger(flag, text, 1, mostDeliveries)) ?? defaultCount;
  const client = readClient(given);
  if (verb === "ls") {
    const found = await listWebhooks(client);
    return printed(given, found, columns(found.map(webhookRow)));
  }
  if (verb === "add") return add(client, given, operand);
  const id = await findWebhookId(client, operand);
  const path = pathOf("webhooks", id);
  if (verb === "rm") {
    await client.ask("DELETE", path);
    return printed(given, { id, deleted: true }, `Deleted ${id}`);
  }
  if (verb === "rotate-key") {
    const webhook = await client.ask<ShownWebhook>("POST", `${path}/rotate_key`);
    return printed(given, webhook, [...keyLines(webhook), "The key before signs beside it for a day."]);
  }
  if (verb === "deliveries") {
    const found = (await client.list<ShownDelivery>(`${path}/deliveries`, {}, count)).toReversed();
    return printed(given, found, columns(found.map(deliveryRow)));
  }
  const again = await client.ask<ShownDelivery>("POST", `${path}${pathOf("deliveries", deliveryId)}/redeliver`);
  return printed(given, again, columns([deliveryRow(again)]));
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
