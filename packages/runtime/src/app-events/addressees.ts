import type { AppListener, IdentityField } from "@x/model";
import type { Store } from "@x/store";
import type { AppEvent } from "./app-event.ts";

export type AddresseeReads = Pick<Store, "appListeners" | "accountsWith" | "identityFields" | "accounts">;

/** Whose sources an event can reach. */
export interface EventScope {
  readonly app: string;
  /** Undefined: accounts of all users, strictly by address. */
  readonly userId: string | undefined;
}

/** Why an event reaches no source. */
export type Unreached = "no_source" | "no_account" | "unknown_account" | "inactive";

/** Who gets an event: one listener for each source. */
export interface Addressees {
  readonly listeners: readonly AppListener[];
  /** Present without a listener. */
  readonly reason?: Unreached;
}

const keyOf = ([name, value]: IdentityField): string => JSON.stringify([name, value]);
const fieldsOf = (event: AppEvent): IdentityField[] => [
  ...new Map(
    event.accounts.flatMap((address) => Object.entries(address)).map((field) => [keyOf(field), field]),
  ).values(),
];

/** The accounts that have all fields of one of the addresses. */
async function addressedAccounts(
  event: AppEvent,
  { app, userId }: EventScope,
  store: AddresseeReads,
): Promise<string[]> {
  const found = await store.accountsWith(app, fieldsOf(event), userId);
  const known = new Map<string, Set<string>>();
  for (const { accountId, field } of found) known.set(accountId, (known.get(accountId) ?? new Set()).add(keyOf(field)));
  const matches = (fields: ReadonlySet<string>): boolean =>
    event.accounts.some((address) => Object.entries(address).every((field) => fields.has(keyOf(field))));
  return [...known].filter(([, fields]) => matches(fields)).map(([accountId]) => accountId);
}

/** Of these accounts those with none of the fields that the event is addressed by. */
async function unknownAmong(accountIds: readonly string[], event: AppEvent, store: AddresseeReads): Promise<string[]> {
  const names = new Set(fieldsOf(event).map(([name]) => name));
  const known = (await store.identityFields(accountIds)).filter(({ name }) => names.has(name));
  const identified = new Set(known.map(({ accountId }) => accountId));
  return accountIds.filter((accountId) => !identified.has(accountId));
}

const accountsOf = (listeners: readonly AppListener[]): string[] => [
  ...new Set(listeners.map(({ accountId }) => accountId).filter((accountId) => accountId !== "")),
];

/** The user's one account of the app; undefined for none or more. An account of the embedder's is known by its sources. */
async function onlyAccount(app: string, userId: string, store: AddresseeReads): Promise<string | undefined> {
  const { totalCount, items } = await store.accounts(userId, { limit: 1 }, app);
  if (totalCount > 0) return totalCount === 1 ? items[0]?.id : undefined;
  const used = accountsOf(await store.appListeners({ app, userId }));
  return used.length === 1 ? used[0] : undefined;
}

/** Each source once, and only active ones. */
const activeOf = (listeners: readonly AppListener[]): AppListener[] => [
  ...new Map(listeners.filter(({ active }) => active).map((each) => [each.sourceId, each])).values(),
];

/** An event without addresses is for all sources of the user's. */
async function everyAccount(names: readonly string[], scope: EventScope, store: AddresseeReads): Promise<Addressees> {
  if (scope.userId === undefined) return { listeners: [], reason: "no_account" };
  const found = await store.appListeners({ app: scope.app, names, userId: scope.userId });
  const listeners = activeOf(found);
  if (listeners.length > 0) return { listeners };
  return { listeners, reason: found.length > 0 ? "inactive" : "no_source" };
}

/** Finds who gets an event. */
export async function addresseesOf(event: AppEvent, scope: EventScope, store: AddresseeReads): Promise<Addressees> {
  const { app, userId } = scope;
  const names = ["", ...event.names];
  const ofUser = userId !== undefined && { userId };
  if (event.accounts.length === 0) return everyAccount(names, scope, store);
  const accountIds = await addressedAccounts(event, scope, store);
  if (accountIds.length === 0 && userId !== undefined) {
    const only = await onlyAccount(app, userId, store);
    if (only !== undefined) accountIds.push(...(await unknownAmong([only], event, store)));
  }
  const found = accountIds.length === 0 ? [] : await store.appListeners({ app, names, accountIds, ...ofUser });
  const listeners = activeOf(found);
  if (listeners.length > 0) return { listeners };
  if (found.length > 0) return { listeners, reason: "inactive" };
  const listening = await store.appListeners({ app, names, ...ofUser });
  if (listening.length === 0) return { listeners, reason: "no_source" };
  const unknown = await unknownAmong(accountsOf(listening), event, store);
  return { listeners, reason: unknown.length > 0 ? "unknown_account" : "no_account" };
}
