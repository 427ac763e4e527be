import { newId, type Clock, type Source, type SourceWebhook, type Webhook } from "@x/model";
import type { Listeners } from "../subscriptions/listeners.ts";
import type { Change } from "@x/store";
import { checkUrl, type Forbidden, newWebhook } from "./webhook.ts";

/** The webhook of a new source. When the source is committed, the user's webhook with this URL is found or created. */
export interface PlannedWebhook extends Disposable {
  /** What is committed together with the new source, or for a source that exists. */
  changes(source: Pick<Source, "id" | "userId">, existing?: "existing"): readonly Change[];
  /** After the commit: the webhook, with its signing key when it is new. */
  result(): SourceWebhook | undefined;
}

export interface SourceWebhooksParts {
  readonly clock: Clock;
  readonly forbidden: Forbidden;
  readonly listeners: Pick<Listeners, "findWebhook" | "autoSubscriptions" | "find">;
}

/** Plans the webhook with this URL; changes nothing. Throws `invalid_parameter` or `address_forbidden`. */
export type PlanSourceWebhook = (url: string) => PlannedWebhook;

export function createSourceWebhooks({ clock, forbidden, listeners }: SourceWebhooksParts): PlanSourceWebhook {
  /** Webhooks that concurrent deploys are creating: the first commit creates one, the others use it. */
  const drafts = new Map<string, Webhook>();

  return (url) => {
    checkUrl(url, forbidden, "webhookUrl");
    let planned: { readonly key: string; readonly webhook: Webhook; readonly isNew: boolean } | undefined;
    return {
      changes({ id: emitterId, userId }, existing) {
        const key = `${userId} ${url}`;
        const now = clock.now();
        const known = listeners.findWebhook(userId, url);
        const webhook =
          known ?? drafts.get(key) ?? newWebhook({ userId, url, name: null, description: null, format: "event" }, now);
        if (!known) drafts.set(key, webhook);
        planned = { key, webhook, isNew: !known };
        const listenerId = webhook.id;
        const isAutomatic = listeners
          .autoSubscriptions(userId)
          .some((each) => each.listenerId === listenerId && each.eventName === "");
        const subscription = { id: newId("sub"), userId, emitterId, listenerId, eventName: "", createdAt: now };
        // Auto-subscriptions are for new sources.
        const isThere = existing ? listeners.find(subscription) !== undefined : isAutomatic;
        return [
          ...(known ? [] : [{ op: "webhook.put", webhook } as const]),
          ...(isThere ? [] : [{ op: "subscription.add", subscription } as const]),
        ];
      },
      result() {
        if (!planned) return undefined;
        const { id, signingKey } = planned.webhook;
        return { id, url, ...(planned.isNew && { signingKey }) };
      },
      [Symbol.dispose]() {
        if (planned) drafts.delete(planned.key);
      },
    };
  };
}
