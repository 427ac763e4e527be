import type { Clock } from "../process/clock.ts";
import type { Listeners } from "../subscriptions/listeners.ts";
import { newId } from "../process/ids.ts";
import type { SourceWebhook, Webhook } from "../model/listener-model.ts";
import type { Source } from "../model/model.ts";
import type { Change } from "../store/contract.ts";
import { checkUrl, newWebhook, type Forbidden } from "./new-webhook.ts";

/** The webhook that a new source delivers to: its user's own, made or found when the source is committed (3.3, S36). */
export interface PlannedWebhook extends Disposable {
  /** What joins the commit that makes the source. */
  changes(source: Pick<Source, "id" | "userId">): readonly Change[];
  /** After the commit: with its key when it is new. */
  result(): SourceWebhook | undefined;
}

export interface SourceWebhooksParts {
  readonly clock: Clock;
  readonly forbidden: Forbidden;
  readonly listeners: Pick<Listeners, "findWebhook" | "autoSubscriptions">;
}

/** Plans the webhook with this URL. Throws `invalid_parameter` or `address_forbidden` before anything is made. */
export type PlanSourceWebhook = (url: string) => PlannedWebhook;

export function createSourceWebhooks({ clock, forbidden, listeners }: SourceWebhooksParts): PlanSourceWebhook {
  /** Deploys at the same time that want the same one: the first to be committed makes it, the others use it. */
  const drafts = new Map<string, Webhook>();

  return (url) => {
    checkUrl(url, forbidden, "webhookUrl");
    let planned: { readonly key: string; readonly webhook: Webhook; readonly isNew: boolean } | undefined;
    return {
      changes({ id: emitterId, userId }) {
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
        return [
          ...(known ? [] : [{ op: "webhook.put", webhook } as const]),
          ...(isAutomatic ? [] : [{ op: "subscription.add", subscription } as const]),
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
