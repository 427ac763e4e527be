import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { parseChoice, parseInteger, parsePeriod } from "../arguments/quantity.ts";
import { webhookFormats } from "@x/model";
import { columns, printResult } from "./output.ts";
import { findNamed } from "./emitters.ts";
import type { RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { deliveryRow, keyLines, listWebhooks, webhookNames, webhookRow } from "./shown-webhook.ts";
import { readSubcommand, rejectFlags } from "./subcommand.ts";

const subcommands = {
  ls: [],
  add: ["URL"],
  rm: ["ID"],
  "rotate-key": ["ID"],
  deliveries: ["ID"],
  redeliver: ["ID", "[DELIVERY]"],
} as const;

const defaultCount = 10;
const maxDeliveries = 10_000;

/** The id of the webhook with this id, name or URL. */
export async function findWebhookId(client: RestClient, idOrName: string): Promise<string> {
  if (/^wh_\w+$/.test(idOrName)) return idOrName;
  return findNamed("webhook", idOrName, (await listWebhooks(client)).map(webhookNames)).id;
}

async function add(client: RestClient, args: Arguments, url: string): Promise<number> {
  const name = args.text("name");
  const format = args.read("format", (flag, text) => parseChoice(flag, text, webhookFormats));
  const body = { url, ...(name !== undefined && { name }), ...(format !== undefined && { format }) };
  const webhook = await client.ask("POST /webhooks", { body });
  return printResult(args, webhook, [
    ...keyLines(webhook),
    `Send it events of a source: x subscriptions add SOURCE ${webhook.id}`,
  ]);
}

async function webhooks(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("webhooks", subcommands, args);
  const [operand = "", deliveryId = ""] = operands;
  if (subcommand !== "add") rejectFlags(args, "x webhooks add", ["name", "format"]);
  if (subcommand !== "deliveries") rejectFlags(args, "x webhooks deliveries", ["limit"]);
  if (subcommand !== "redeliver") rejectFlags(args, "x webhooks redeliver", ["period"]);
  if (!["deliveries", "redeliver"].includes(subcommand)) rejectFlags(args, "x webhooks deliveries", ["status"]);
  const count = args.read("limit", (flag, text) => parseInteger(flag, text, 1, maxDeliveries)) ?? defaultCount;
  const client = readClient(args);
  if (subcommand === "ls") {
    const found = await listWebhooks(client);
    return printResult(args, found, columns(found.map(webhookRow)));
  }
  if (subcommand === "add") return add(client, args, operand);
  const id = await findWebhookId(client, operand);
  const path = { id };
  if (subcommand === "rm") {
    await client.ask("DELETE /webhooks/{id}", { path });
    return printResult(args, { id, deleted: true }, `Deleted ${id}`);
  }
  if (subcommand === "rotate-key") {
    const webhook = await client.ask("POST /webhooks/{id}/rotate_key", { path });
    return printResult(args, webhook, [...keyLines(webhook), "Deliveries are signed with the old key too, for a day."]);
  }
  if (subcommand === "deliveries") {
    const status = args.read("status", (flag, text) => parseChoice(flag, text, ["pending", "delivered", "dead"]));
    const newest = await client.list("GET /webhooks/{id}/deliveries", { path, query: { status } }, count);
    const found = newest.toReversed();
    return printResult(args, found, columns(found.map(deliveryRow)));
  }
  if (deliveryId === "") {
    const status = args.read("status", (flag, text) => parseChoice(flag, text, ["dead", "delivered"])) ?? "dead";
    const period = args.read("period", parsePeriod);
    const body = { status, ...(period && { since: period.start, until: period.end - 1 }) };
    const { count } = await client.ask("POST /webhooks/{id}/redeliver", { path, body });
    return printResult(args, { id, count }, [
      `${count} ${status} ${count === 1 ? "delivery is" : "deliveries are"} sent again`,
      ...(count > 0 ? [`Those still to be sent: x webhooks deliveries ${operand} --status pending`] : []),
    ]);
  }
  const again = await client.ask("POST /webhooks/{id}/deliveries/{delivery}/redeliver", {
    path: { id, delivery: deliveryId },
    body: { wait: true },
  });
  return printResult(args, again, columns([deliveryRow(again)]));
}

/** `x webhooks`: URLs that receive events. */
export const webhooksCommand: Command = {
  operands: "ls | add URL | rm ID | rotate-key ID | deliveries ID | redeliver ID [DELIVERY]",
  details: [
    "ID is the id, the name or the URL of a webhook. A new webhook gets no events until x subscriptions add subscribes it.",
    "Deliveries are signed as Standard Webhooks describes; the signing key is shown once, when it is created.",
    "deliveries lists the newest, the newest last; redeliver sends one again, waits and prints the outcome; without",
    "DELIVERY it sends all dead ones again, or those of a period.",
  ].join("\n"),
  flags: [
    { name: "name", value: "NAME", about: "add: name of the webhook" },
    { name: "format", value: "FORMAT", about: `add: ${webhookFormats.join(", ")} (default event)` },
    {
      name: "status",
      value: "STATUS",
      about: "deliveries: pending, delivered or dead (default: all); redeliver: dead (default) or delivered",
    },
    { name: "period", value: "DAYS", about: "redeliver: created on these days (UTC), such as 2026-11-01..2026-12-01" },
    { name: "limit", value: "COUNT", about: `deliveries: number of deliveries (default ${defaultCount})` },
    ...serviceFlags,
  ],
  examples: [
    "x webhooks add https://example.com/hook --name archive",
    "x webhooks ls",
    "x webhooks deliveries archive --limit 20 --json",
    "x webhooks deliveries archive --status dead",
    "x webhooks redeliver archive DELIVERY",
    "x webhooks redeliver archive --status delivered --period 2026-11-01..2026-11-03",
    "x webhooks rotate-key archive",
    "x webhooks rm archive",
  ],
  run: webhooks,
};
