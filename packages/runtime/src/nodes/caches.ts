import { deserialize } from "node:v8";

import type { AccountRecords } from "@x/accounts";
import type { Listeners } from "../subscriptions/listeners.ts";
import type { Users } from "../users/users.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { Stale } from "./stale.ts";

export interface CachesParts {
  readonly listeners: Pick<Listeners, "reload" | "reloadUser" | "reloadWebhook">;
  readonly users: Pick<Users, "reload">;
  readonly accountRecords: Pick<AccountRecords, "forget">;
  readonly outbox: Pick<Outbox, "wake">;
  /** Resolves when the commits of this node that are under way have ended. */
  settled(): Promise<void>;
}

/** What this node holds in memory of records that any node may change. */
export interface Caches {
  /** Reads everything again. */
  reload(): Promise<void>;
  /** Reads again what another node has changed; `body` is a `Stale`. */
  changed(body: Uint8Array): Promise<void>;
}

export function createCaches({ listeners, users, accountRecords, outbox, settled }: CachesParts): Caches {
  async function renewWebhook(id: string): Promise<void> {
    const isAwake = await listeners.reloadWebhook(id);
    if (isAwake) await outbox.wake(id);
  }

  async function renew({ users: areUsers, listenersOf, webhooks, accounts }: Stale): Promise<void> {
    for (const id of accounts) accountRecords.forget(id);
    await Promise.all([
      areUsers && users.reload(),
      ...listenersOf.map((userId) => listeners.reloadUser(userId)),
      ...webhooks.map(renewWebhook),
    ]);
  }

  return {
    async reload() {
      await settled();
      accountRecords.forget();
      await Promise.all([users.reload(), listeners.reload()]);
      await settled();
    },
    async changed(body) {
      // Before: what they change in memory must not come after what is read now.
      await settled();
      await renew(deserialize(body) as Stale);
      // After: a caller who is answered from then on relies on it for every later commit.
      await settled();
    },
  };
}
