import type { Delivery, DeliveryDetail, Webhook } from "@x/client";

import { readByIds } from "../api/pages.ts";

export type AttemptDetail = DeliveryDetail["attempts"][number];
export type DeliveryStatus = Delivery["status"];

/** What a webhook is called. */
export const nameOf = ({ name, url }: Pick<Webhook, "name" | "url">): string => name ?? url;

export const statusLabels: Readonly<Record<DeliveryStatus, string>> = {
  pending: "Pending",
  delivered: "Delivered",
  dead: "Dead letter",
};

export const statusTones = { pending: "warn", delivered: "ok", dead: "bad" } as const;

/** What an attempt came to: the status that the receiver answered, or why there was none. */
export const outcomeOf = ({ http_status: status, error }: Pick<AttemptDetail, "http_status" | "error">): string =>
  status === null ? (error ?? "No answer") : String(status);

/** What these webhooks are called, by their ids. */
export async function readWebhookNames(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const fields = { include: "id,name,url" };
  const webhooks = await readByIds<Pick<Webhook, "id" | "name" | "url">>("/users/me/webhooks", ids, fields, signal);
  return new Map(webhooks.map((webhook) => [webhook.id, nameOf(webhook)]));
}
