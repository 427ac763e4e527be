import type { Component, Webhook } from "@x/model";

/** A row that holds its record as JSON text. */
export interface RecordRow {
  readonly record: string;
}

export const parseRecord = <T>(row: RecordRow): T => JSON.parse(row.record) as T;

/** Of a webhook, with the count that changes often. */
export interface WebhookRow extends RecordRow {
  readonly skipped: number;
}

export const parseWebhook = (row: WebhookRow): Webhook => ({ ...parseRecord<Webhook>(row), skipped: row.skipped });

/** Of a component, with its package lock. */
export interface ComponentRow extends RecordRow {
  /** JSON text. */
  readonly lock: string | null;
}

export function parseComponent(row: ComponentRow): Component {
  const component = parseRecord<Component>(row);
  return row.lock === null ? component : { ...component, ...(JSON.parse(row.lock) as Partial<Component>) };
}
