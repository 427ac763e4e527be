import type { Change } from "@x/store";

/** What a commit makes out of date in the memory of other nodes. Holds no secrets: they read what is named. */
export interface Stale {
  readonly users: boolean;
  /** Users whose subscriptions changed. */
  readonly listenersOf: readonly string[];
  readonly webhooks: readonly string[];
  readonly accounts: readonly string[];
}

/** The users of subscriptions that a change removes by an id. */
export type OwnersOf = (change: Change) => readonly string[];

/** What other nodes must read again after the commit of these changes; undefined: nothing. */
export function staleAfter(changes: readonly Change[], ownersOf: OwnersOf): Stale | undefined {
  let users = false;
  const listenersOf = new Set<string>();
  const webhooks = new Set<string>();
  const accounts = new Set<string>();
  for (const change of changes)
    switch (change.op) {
      case "user.put":
        users = true;
        break;
      case "subscription.add":
        listenersOf.add(change.subscription.userId);
        break;
      case "auto_subscription.add":
        listenersOf.add(change.autoSubscription.userId);
        break;
      case "webhook.put":
        webhooks.add(change.webhook.id);
        break;
      case "account.put":
        accounts.add(change.account.id);
        break;
      case "account.delete":
        accounts.add(change.id);
        break;
      case "webhook.delete":
        webhooks.add(change.id);
        for (const userId of ownersOf(change)) listenersOf.add(userId);
        break;
      case "source.delete":
      case "subscription.delete":
      case "auto_subscription.delete":
        for (const userId of ownersOf(change)) listenersOf.add(userId);
        break;
      default:
    }
  if (!users && listenersOf.size + webhooks.size + accounts.size === 0) return undefined;
  return { users, listenersOf: [...listenersOf], webhooks: [...webhooks], accounts: [...accounts] };
}
