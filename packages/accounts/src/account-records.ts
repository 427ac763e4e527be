import { LRUCache } from "lru-cache";

import { XError, createDispatcher, type Account } from "@x/model";
import type { Store } from "@x/store";

const cacheBytes = 8 * 1024 * 1024;
const recordBytes = 256;

/** The stored accounts: reads from a cache, and changes one after another. */
export interface AccountRecords {
  /** From the cache, if it is there. */
  read(id: string): Promise<Account | undefined>;
  /** From the store. Rejects with `not_found` for the account of another user. */
  own(id: string, userId: string): Promise<Account>;
  /** From the store; later reads see it, too. */
  stored(id: string): Promise<Account | undefined>;
  /** One job at a time for each account: a change writes the whole record. */
  inLane<T>(id: string, job: () => Promise<T>): Promise<T>;
  /** Durable when it resolves. */
  put(account: Account): Promise<void>;
  remove(id: string): Promise<void>;
  /** Another process has changed this account, or any. */
  forget(id?: string): void;
}

export function createAccountRecords(store: Store): AccountRecords {
  const lanes = createDispatcher();
  const cache = new LRUCache<string, Account>({
    maxSize: cacheBytes,
    sizeCalculation: ({ auth }) => recordBytes + 2 * JSON.stringify(auth).length,
  });
  let changes = 0;
  function forget(id?: string): void {
    changes += 1;
    if (id === undefined) cache.clear();
    else cache.delete(id);
  }
  return {
    forget,
    async read(id) {
      const known = cache.get(id);
      if (known) return known;
      const before = changes;
      const account = await store.account(id);
      // A record read before a change must not enter the cache after it.
      if (account && before === changes) cache.set(id, account);
      return account;
    },
    async own(id, userId) {
      const account = await store.account(id);
      if (account?.userId !== userId) throw new XError("not_found", ["account", id]);
      return account;
    },
    async stored(id) {
      // Another process of the same store may have changed it.
      forget(id);
      return store.account(id);
    },
    inLane: (id, job) => lanes.run(id, job),
    async put(account) {
      await store.commit([{ op: "account.put", account }]);
      forget(account.id);
    },
    async remove(id) {
      await store.commit([{ op: "account.delete", id }]);
      forget(id);
    },
  };
}
