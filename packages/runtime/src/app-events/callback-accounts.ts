import type { Accounts } from "@x/accounts";
import type { AccountIdentity } from "@x/model";
import { identityFieldsOf, type Store } from "@x/store";

export interface CallbackAccountsParts {
  readonly store: Pick<Store, "account" | "appListeners" | "commit">;
  readonly credentials: Accounts["credentials"];
}

/** What the accounts of the embedder's callback are addressed by: it is read when a source is deployed, and once for each app. */
export interface CallbackAccounts {
  /** Never rejects: an account that cannot be read stays as it is known. */
  identify(account: Omit<AccountIdentity, "fields">): Promise<void>;
  /** The accounts of all sources that listen to events of an app. */
  identifyAll(app: string): Promise<void>;
}

export function createCallbackAccounts({ store, credentials }: CallbackAccountsParts): CallbackAccounts {
  const begun = new Map<string, Promise<void>>();

  async function identify({ accountId, app, userId }: Omit<AccountIdentity, "fields">): Promise<void> {
    const isStored = (await store.account(accountId)) !== undefined;
    if (isStored) return;
    const auth = await credentials({ app, id: accountId, userId }).catch(() => undefined);
    if (typeof auth !== "object" || auth === null) return;
    const identity: AccountIdentity = { accountId, userId, app, fields: identityFieldsOf(auth) };
    await store.commit([{ op: "account.identify", identity }]);
  }

  async function identifyListeners(app: string): Promise<void> {
    const listeners = (await store.appListeners({ app })).filter(({ accountId }) => accountId !== "");
    const accounts = new Map(listeners.map((each) => [`${each.userId} ${each.accountId}`, each]));
    for (const each of accounts.values()) await identify(each);
  }

  return {
    identify,
    identifyAll(app) {
      const known = begun.get(app) ?? identifyListeners(app);
      begun.set(app, known);
      return known;
    },
  };
}
