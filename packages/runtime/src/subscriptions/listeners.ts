import type { AutoSubscription, Subscription, Webhook } from "@x/model";
import type { Change, Store } from "@x/store";
import { globOf } from "./match.ts";

/** Subscriptions and webhooks of all users, in memory, because every commit needs them. */
export interface Listeners {
  /** Applies the changes of a commit. */
  apply(changes: readonly Change[]): void;
  /** Subscriptions to the emitter or its glob, oldest first. */
  candidates(emitterId: string): readonly Subscription[];
  /** The user's subscription with exactly these values. */
  find(wanted: Pick<Subscription, "userId" | "emitterId" | "listenerId" | "eventName">): Subscription | undefined;
  /** Oldest first. */
  autoSubscriptions(userId: string): readonly AutoSubscription[];
  /** Its count of skipped events may be out of date. */
  webhook(id: string): Webhook | undefined;
  /** The owners of the subscriptions that this change removes by an id. */
  ownersOf(change: Change): readonly string[];
  /** Reads everything again. */
  reload(): Promise<void>;
  /** Reads the subscriptions of a user again. */
  reloadUser(userId: string): Promise<void>;
  /** Reads a webhook again; resolves with true when it has become active. */
  reloadWebhook(id: string): Promise<boolean>;
  /** The user's oldest active webhook with this URL and the format `event`. */
  findWebhook(userId: string, url: string): Webhook | undefined;
}

const none: readonly Subscription[] = [];

/** Reads what is in the store; `apply` must get every later commit. */
export async function loadListeners(
  store: Pick<Store, "subscriptions" | "autoSubscriptions" | "allWebhooks" | "webhook">,
): Promise<Listeners> {
  const byId = new Map<string, Subscription>();
  const byEmitter = new Map<string, Map<string, Subscription>>();
  const automatic = new Map<string, AutoSubscription>();
  const webhooks = new Map<string, Webhook>();

  const add = (subscription: Subscription): void => {
    byId.set(subscription.id, subscription);
    const known = byEmitter.get(subscription.emitterId) ?? new Map<string, Subscription>();
    known.set(subscription.id, subscription);
    byEmitter.set(subscription.emitterId, known);
  };
  const remove = (id: string): void => {
    const emitterId = byId.get(id)?.emitterId ?? "";
    byId.delete(id);
    const known = byEmitter.get(emitterId);
    known?.delete(id);
    if (known?.size === 0) byEmitter.delete(emitterId);
  };
  const removeNamed = (id: string): void => {
    for (const each of byId.values()) if (each.emitterId === id || each.listenerId === id) remove(each.id);
    for (const each of automatic.values()) if (each.listenerId === id) automatic.delete(each.id);
  };
  const apply = (change: Change): void => {
    if (change.op === "subscription.add") add(change.subscription);
    else if (change.op === "subscription.delete") remove(change.id);
    else if (change.op === "auto_subscription.add") automatic.set(change.autoSubscription.id, change.autoSubscription);
    else if (change.op === "auto_subscription.delete") automatic.delete(change.id);
    else if (change.op === "webhook.put") webhooks.set(change.webhook.id, change.webhook);
    else if (change.op === "source.delete") removeNamed(change.id);
    else if (change.op === "webhook.delete") {
      webhooks.delete(change.id);
      removeNamed(change.id);
    }
  };

  /** Replaces the subscriptions of a user, or all, without a pause in between. */
  async function reloadUser(userId?: string): Promise<void> {
    const [exact, auto] = await Promise.all([store.subscriptions(userId), store.autoSubscriptions(userId)]);
    const isOf = (each: { readonly userId: string }): boolean => userId === undefined || each.userId === userId;
    for (const each of [...byId.values()].filter(isOf)) remove(each.id);
    for (const each of [...automatic.values()].filter(isOf)) automatic.delete(each.id);
    for (const each of exact.toReversed()) add(each);
    for (const each of auto.toReversed()) automatic.set(each.id, each);
  }

  async function reload(): Promise<void> {
    const [found] = await Promise.all([store.allWebhooks(), reloadUser()]);
    webhooks.clear();
    for (const each of found) webhooks.set(each.id, each);
  }

  await reload();

  return {
    reload,
    reloadUser,
    async reloadWebhook(id) {
      const webhook = await store.webhook(id);
      const wasActive = webhooks.get(id)?.active ?? false;
      if (webhook) webhooks.set(id, webhook);
      else webhooks.delete(id);
      return webhook?.active === true && !wasActive;
    },
    ownersOf(change) {
      const { op } = change;
      if (op === "subscription.delete") return [byId.get(change.id)?.userId ?? []].flat();
      if (op === "auto_subscription.delete") return [automatic.get(change.id)?.userId ?? []].flat();
      if (op !== "source.delete" && op !== "webhook.delete") return [];
      const { id } = change;
      const exact = [...byId.values()].filter((each) => each.emitterId === id || each.listenerId === id);
      const auto = [...automatic.values()].filter((each) => each.listenerId === id);
      return [...new Set([...exact, ...auto].map(({ userId }) => userId))];
    },
    apply: (changes) => changes.forEach(apply),
    candidates(emitterId) {
      const exact = byEmitter.get(emitterId);
      const glob = byEmitter.get(globOf(emitterId) ?? "");
      return exact || glob ? [...(exact?.values() ?? []), ...(glob?.values() ?? [])] : none;
    },
    find: ({ userId, emitterId, listenerId, eventName }) =>
      [...(byEmitter.get(emitterId)?.values() ?? [])].find(
        (each) => each.userId === userId && each.listenerId === listenerId && each.eventName === eventName,
      ),
    autoSubscriptions: (userId) => [...automatic.values()].filter((each) => each.userId === userId),
    webhook: (id) => webhooks.get(id),
    findWebhook: (userId, url) =>
      [...webhooks.values()].find(
        (each) => each.userId === userId && each.url === url && each.active && each.format === "event",
      ),
  };
}
