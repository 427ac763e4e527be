import type { Delivery, DeliveryDetail, Webhook } from "@x/client";

import { request } from "../api/client.ts";
import { readAll } from "../api/pages.ts";
import type { DataOf } from "../api/shapes.ts";

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

const maxAlone = 20;

/** What these webhooks are called, by their ids: each is read alone, or very many with all others. */
export async function readWebhookNames(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const one = (id: string): Promise<Webhook> =>
    request<DataOf<Webhook>>("GET", `/webhooks/${id}`, { signal }).then(({ data }) => data);
  const webhooks =
    ids.length > maxAlone
      ? await readAll<Webhook>("/users/me/webhooks", { include: "id,name,url" }, 10_000, signal)
      : await Promise.all(ids.map(one));
  return new Map(webhooks.map((webhook) => [webhook.id, nameOf(webhook)]));
}
