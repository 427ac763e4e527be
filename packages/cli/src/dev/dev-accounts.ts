import { type ComponentShape, type Json, type Runtime, XError } from "@x/runtime";

import { type AccountChoice, accountChoices, type GivenAccounts } from "../given/given-accounts.ts";
import type { Book } from "./book.ts";

/** Credentials of a file as stored accounts, encrypted as all are: a later start has them without the file. */
export interface DevAccounts {
  /** Values of the app props that there are credentials for. */
  propsFor(shape: ComponentShape): Promise<{ [prop: string]: Json }>;
  /** From now on these are given. */
  replace(given: GivenAccounts): void;
}

export interface DevAccountsOptions {
  readonly given: GivenAccounts;
  readonly book: Book;
  readonly runtime: Pick<Runtime, "createAccount" | "updateAccount">;
}

/** How accounts are told from those that `x accounts add` makes. */
const accountName = "x dev --accounts";

export function createDevAccounts({ given: first, book, runtime }: DevAccountsOptions): DevAccounts {
  let given = first;
  /** By app and key: what the file says is stored once each time it is read. */
  const stored = new Map<string, Promise<string>>();

  async function store({ app, key }: AccountChoice): Promise<string> {
    const auth = given[key] ?? {};
    const known = book.accountOf(app, key);
    if (known !== undefined) {
      try {
        return (await runtime.updateAccount(known, { auth })).id;
      } catch (error) {
        if (!XError.is(error) || error.code !== "not_found") throw error;
      }
    }
    const { id } = await runtime.createAccount({ app, name: accountName, auth });
    book.enterAccount(app, key, id);
    return id;
  }

  function storedId(choice: AccountChoice): Promise<string> {
    const name = JSON.stringify([choice.app, choice.key]);
    const known = stored.get(name);
    if (known) return known;
    const id = store(choice);
    stored.set(name, id);
    id.catch(() => stored.delete(name));
    return id;
  }

  return {
    async propsFor(shape) {
      const props: [string, Json][] = [];
      for (const choice of accountChoices(shape, given))
        props.push([choice.prop, { authProvisionId: await storedId(choice) }]);
      return Object.fromEntries(props);
    },
    replace(accounts) {
      given = accounts;
      stored.clear();
    },
  };
}
