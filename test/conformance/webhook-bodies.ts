/** A webhook as the interface shows it. */
export interface WebhookBody {
  readonly id: string;
  readonly user_id?: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string;
  readonly active: boolean;
  readonly created_at: number;
  readonly updated_at: number;
  readonly signing_key?: string;
  readonly format?: string;
  readonly skipped_events?: number;
}

/** A delivery as the interface shows it. */
export interface DeliveryBody {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly emitter_id: string;
  readonly event_name: string;
  readonly status: string;
  readonly attempts: readonly {
    readonly at: number;
    readonly http_status: number | null;
    readonly error: string | null;
  }[];
  readonly next_attempt_at: number | null;
  readonly created_at: number;
}
