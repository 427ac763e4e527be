import type { Delivery, Webhook } from "@x/client";

import { oneLine } from "../terminal/terminal-text.ts";
import type { Named } from "./emitters.ts";
import type { RestClient } from "./rest-client.ts";

const maxErrorLength = 100;

const timeOf = (seconds: number): string => new Date(seconds * 1000).toLocaleString("sv-SE");

/** The user's webhooks, newest first. */
export const listWebhooks = (client: RestClient): Promise<Webhook[]> => client.list("GET /users/me/webhooks", {});

/** The names of a webhook: its name, if any, and its URL. */
export const webhookNames = ({ id, name, url }: Webhook): Named => ({
  id,
  names: name === null ? [url] : [name, url],
});

/** A webhook in a list. */
export const webhookRow = ({ id, name, url, active }: Webhook): string[] => [
  id,
  active ? "active" : "inactive",
  url,
  name ?? "",
];

/** A webhook with its new key. */
export const keyLines = ({
  id,
  url,
  signing_key: key,
}: Pick<Webhook, "id" | "url"> & { readonly signing_key: string }): string[] => [
  `Webhook ${id}  ${url}`,
  `Signing key (shown only now, keep it): ${key}`,
];

/** A delivery in a list: event, status and, when the last attempt failed, the reason. */
export function deliveryRow(delivery: Delivery): string[] {
  const { id, status, event_id: event, emitter_id: emitter, attempts, next_attempt_at: next } = delivery;
  const last = attempts.at(-1);
  const outcome = last?.http_status ?? (last?.error == null ? "" : oneLine(last.error, maxErrorLength));
  return [
    timeOf(delivery.created_at),
    id,
    status,
    `${attempts.length} ${attempts.length === 1 ? "attempt" : "attempts"}`,
    `${emitter} ${event}`,
    String(outcome),
    ...(next === null ? [] : [`next ${timeOf(next)}`]),
  ];
}
