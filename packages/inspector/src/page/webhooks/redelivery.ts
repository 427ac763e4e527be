import type { Webhook, WebhookDetail } from "@x/client";
import { type ReadonlySignal, signal } from "@preact/signals";

import { request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt, notify } from "../app/notices.ts";
import { count, plural } from "../text/format.ts";
import { nameOf } from "./webhook.ts";

/** Which deliveries are sent again: the dead ones unless it says otherwise. */
export interface RedeliveryRange {
  readonly status?: "dead" | "delivered";
  /** Epoch ms. */
  readonly since?: number;
  readonly until?: number;
}

/** How far a redelivery of many is. */
export interface Progress {
  readonly total: number;
  readonly sent: number;
}

const current = signal<ReadonlyMap<string, Progress>>(new Map());
const pollMs = 500;

/** Redeliveries that go on, by webhook. */
export const redeliveries: ReadonlySignal<ReadonlyMap<string, Progress>> = current;

function show(id: string, progress: Progress | undefined): void {
  const next = new Map(current.value);
  if (progress) next.set(id, progress);
  else next.delete(id);
  current.value = next;
}

type State = NonNullable<WebhookDetail["state"]>;

async function readState(id: string): Promise<State> {
  const { data } = await request<DataOf<{ state: State }>>("GET", `/webhooks/${id}`, {
    query: { expand: "state", include: "state" },
  });
  return data.state;
}

/** How many of the deliveries failed again, when nothing else happened to the webhook meanwhile. */
function failedAgain(total: number, before: State, after: State, { status = "dead" }: RedeliveryRange): number {
  const dead = after.dead - before.dead + (status === "dead" ? total : 0);
  return Math.min(total, Math.max(0, dead + after.pending - before.pending));
}

/** Sends deliveries again, shows how far that is, and says in the end what happened. */
export async function redeliverMany(
  webhook: Pick<Webhook, "id" | "name" | "url">,
  range: RedeliveryRange = {},
): Promise<void> {
  const { id } = webhook;
  await attempt(async () => {
    const before = await readState(id);
    const { data } = await request<DataOf<{ count: number }>>("POST", `/webhooks/${id}/redeliver`, { body: range });
    const total = data.count;
    if (total === 0) return notify("done", "No delivery is in that range");
    let after = before;
    do {
      show(id, { total, sent: Math.max(0, total - after.due) });
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      after = await readState(id);
    } while (after.due > 0);
    const failed = failedAgain(total, before, after, range);
    const sent = `${plural(total, "delivery", "deliveries")} to ${nameOf(webhook)} sent again`;
    if (failed === 0) notify("done", `${sent}, and all of them were delivered`);
    else notify("failed", `${sent}: ${count(total - failed)} delivered, ${count(failed)} failed`);
  });
  show(id, undefined);
}
