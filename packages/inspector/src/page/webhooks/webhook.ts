/** A URL that receives events. Times are epoch seconds. */
export interface Webhook {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string;
  readonly active: boolean;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface WebhookDetail extends Webhook {
  readonly format: "event" | "envelope";
  readonly skipped_events: number;
}

export type DeliveryStatus = "pending" | "delivered" | "dead";

export interface Attempt {
  readonly at: number;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** An attempt with what the receiver answered; null without an answer, and for old attempts. */
export interface AttemptDetail extends Attempt {
  readonly response: {
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body?: string;
    readonly body_base64?: string;
    readonly body_truncated?: true;
    readonly body_bytes: number;
  } | null;
}

/** One event on its way to a webhook. */
export interface Delivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly emitter_id: string;
  readonly event_name: string;
  readonly status: DeliveryStatus;
  readonly attempts: readonly Attempt[];
  readonly next_attempt_at: number | null;
  readonly created_at: number;
}

/** A delivery with its event and all answers. */
export interface DeliveryDetail extends Omit<Delivery, "attempts"> {
  readonly attempts: readonly AttemptDetail[];
  readonly event: unknown;
}

/** What a webhook is called. */
export const nameOf = ({ name, url }: Pick<Webhook, "name" | "url">): string => name ?? url;

export const statusLabels: Readonly<Record<DeliveryStatus, string>> = {
  pending: "Pending",
  delivered: "Delivered",
  dead: "Dead letter",
};

export const statusTones = { pending: "warn", delivered: "ok", dead: "bad" } as const;
