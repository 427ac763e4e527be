import type { AccountRecords } from "./account-records.ts";
import { findPlain, validateAccountChange, validateNewAccount } from "./account-input.ts";
import {
  accountId,
  type AccountUse,
  createHolders,
  inUse,
  missingAccount,
  type NamedSource,
  problemOf,
} from "./account-use.ts";
import type { AccountChange, AccountFilter, AccountsCallback, AccountView, NewAccount } from "./contract.ts";
import {
  XError,
  newId,
  type Account,
  type Clock,
  type Component,
  type Json,
  type Logger,
  type Page,
  type Paged,
  type Problem,
} from "@x/model";
import { listAccounts } from "./account-list.ts";
import type { Renewals } from "./renewals.ts";
import { createMatchingLists, listItems, type Store } from "@x/store";

export interface AccountsParts {
  readonly store: Store;
  readonly clock: Clock;
  /** The embedder's own accounts. */
  readonly callback: AccountsCallback | undefined;
  readonly logger: Logger;
  readonly records: AccountRecords;
  readonly renewals: Pick<Renewals, "current">;
  /** Tells the authorization server that the tokens of an account are no longer needed. Never rejects. */
  revoke(account: Account): Promise<void>;
  /** Default "refuse". */
  readonly missingAccounts?: "refuse" | "allow" | undefined;
}

/** The account that a running component reads. */
export interface CredentialsRequest {
  readonly app: string;
  readonly id: string;
  /** Owner of the source. */
  readonly userId: string;
}

/** Connected credentials of users. */
export interface Accounts {
  create(input: NewAccount, userId: string): Promise<AccountView>;
  view(id: string, userId: string): Promise<AccountView>;
  list(page: Page, filter: AccountFilter, userId: string): Promise<Paged<AccountView>>;
  update(id: string, change: AccountChange, userId: string): Promise<AccountView>;
  /** Rejects with `account_in_use` unless forced. */
  delete(id: string, force: boolean, userId: string): Promise<void>;
  /**
   * Prevents the accounts from being deleted until the result is disposed of. Rejects with `invalid_props` when a chosen
   * account belongs to another user or app, or a required one is missing.
   */
  hold(use: AccountUse): Promise<Disposable>;
  /** The problems of required app props without an account in these values; `isChosen`: as in `AccountUse`. */
  missing(
    component: Pick<Component, "shape">,
    values: { readonly [prop: string]: Json },
    isChosen?: AccountUse["isChosen"],
  ): Problem[];
  /**
   * Returns the current `$auth`; undefined when the user has no such account of that app. Rejects with `account_failed`
   * when the callback fails or returns something that is not a JSON object, and when an expired token cannot be renewed; with
   * `account_disconnected` when the account has to be connected again.
   */
  credentials(request: CredentialsRequest): Promise<Json | undefined>;
}

const viewOf = ({ auth: _auth, ...view }: Account): AccountView => view;

const viewPage = ({ totalCount, items }: Paged<Account>): Paged<AccountView> => ({
  totalCount,
  items: items.map(viewOf),
});

/** Calls the embedder's callback. Users do not see its errors, which may contain secrets. */
async function credentialsFromCallback(
  { callback, logger }: Pick<AccountsParts, "callback" | "logger">,
  { app, id }: Pick<CredentialsRequest, "app" | "id">,
): Promise<Json | undefined> {
  let answer: unknown;
  try {
    answer = await callback?.({ app, id });
  } catch (error) {
    logger.error("the accounts callback failed", { app, account: id, error: String(error) });
    throw new XError("account_failed", [id, app, "the accounts callback failed"], { cause: error });
  }
  if (answer === undefined || answer === null) return undefined;
  const plain = findPlain(answer);
  if (typeof plain === "object" && plain !== null && !Array.isArray(plain)) return plain;
  throw new XError("account_failed", [id, app, "the accounts callback returned something that is not a JSON object"]);
}

async function sourcesUsing(store: Store, id: string, userId: string): Promise<NamedSource[]> {
  const found: NamedSource[] = [];
  for await (const source of listItems((page) => store.sources(userId, page)))
    if (Object.values(source.configuredProps).some((each) => accountId(each) === id)) found.push(source);
  return found;
}

function refuse(use: AccountUse, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const text = problems.map(({ message }) => message).join("; ");
  throw new XError("invalid_props", [use.component.shape.name, text], { details: { errors: problems } });
}

export function createAccounts(parts: AccountsParts): Accounts {
  const { store, clock, callback, missingAccounts, records, renewals } = parts;
  const missing: Accounts["missing"] = ({ shape }, values, isChosen = () => true) =>
    missingAccounts === "allow"
      ? []
      : shape.props.flatMap(({ type, name, app, optional }) => {
          const isMissing = type === "app" && optional !== true && (values[name] ?? null) === null;
          return isMissing && app !== undefined && isChosen(name) ? [missingAccount(name, app)] : [];
        });
  const missingIn = ({ source, component, isChosen, mustBeComplete }: AccountUse): Problem[] =>
    mustBeComplete ? missing(component, source.configuredProps, isChosen) : [];
  const holders = createHolders();
  const lists = createMatchingLists();
  const { own, read } = records;

  /** Holds the accounts of all app props, one after another. */
  async function holdAll(use: AccountUse, releases: (() => void)[]): Promise<void> {
    const problems = missingIn(use);
    for (const { type, name, app } of use.component.shape.props) {
      const id = accountId(use.source.configuredProps[name]);
      if (type !== "app" || app === undefined || id === undefined) continue;
      // No deploy may begin to use an account that is being deleted.
      await records.inLane(id, async () => {
        const found = await read(id);
        const account = found?.userId === use.source.userId ? found : undefined;
        const problem = use.isChosen(name) ? problemOf({ name, app, id }, account) : undefined;
        if (problem) problems.push(problem);
        else if (account) releases.push(holders.hold(id, use.source));
      });
    }
    refuse(use, problems);
  }

  return {
    missing,
    async create(input, userId) {
      const now = clock.now();
      const account: Account = {
        id: newId("apn"),
        userId,
        ...validateNewAccount(input),
        createdAt: now,
        updatedAt: now,
      };
      await store.commit([{ op: "account.put", account }]);
      return viewOf(account);
    },
    view: async (id, userId) => viewOf(await own(id, userId)),
    list: async (page, filter, userId) => viewPage(await listAccounts(page, filter, userId, { store, lists })),
    update: (id, change, userId) =>
      records.inLane(id, async () => {
        const { oauth, ...current } = await own(id, userId);
        const changed = validateAccountChange(change);
        // What is known of tokens does not hold for credentials that somebody typed in.
        const kept = changed.auth === undefined && oauth ? { oauth } : {};
        const account = { ...current, ...kept, ...changed, updatedAt: clock.now() };
        await records.put(account);
        return viewOf(account);
      }),
    delete: (id, force, userId) =>
      records.inLane(id, async () => {
        const account = await own(id, userId);
        if (!force) {
          const beginning = holders.of(id);
          const sources = await sourcesUsing(store, id, userId);
          const known = new Set(sources.map((source) => source.id));
          const all = [...sources, ...beginning.filter((source) => !known.has(source.id))];
          if (all.length > 0) throw inUse(id, all);
        }
        await parts.revoke(account);
        await records.remove(id);
      }),
    async hold(use) {
      const releases: (() => void)[] = [];
      const release = (): void => releases.forEach((each) => each());
      // With a callback the ids are the embedder's, and only the callback can check them.
      if (callback) refuse(use, missingIn(use));
      else {
        await holdAll(use, releases).catch((error: unknown) => {
          release();
          throw error;
        });
      }
      return { [Symbol.dispose]: release };
    },
    async credentials({ app, id, userId }) {
      const answer = await credentialsFromCallback(parts, { app, id });
      if (answer !== undefined) return answer;
      const account = await read(id);
      if (account?.userId === userId && account.app === app) return renewals.current(account);
      return callback ? {} : undefined;
    },
  };
}
