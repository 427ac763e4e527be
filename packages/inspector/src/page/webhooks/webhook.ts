import type { Delivery, DeliveryDetail, Webhook } from "@x/client";
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
