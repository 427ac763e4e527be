import { type ComponentShape, type Json, type Runtime, XError } from "@x/runtime";

import { type AccountChoice, accountChoices, type AccountsByApp } from "../arguments/accounts-file.ts";
import type { DevState } from "./dev-state.ts";

/** Credentials of the accounts file as stored, encrypted accounts: a later start has them without the file. */
export interface DevAccounts {
  /** Values of the app props for which there are credentials. */
  propsFor(shape: ComponentShape): Promise<{ [prop: string]: Json }>;
  /** Uses these accounts from now on. */
  replace(accounts: AccountsByApp): void;
}

export interface DevAccountsOptions {
  readonly accounts: AccountsByApp;
  readonly state: DevState;
  readonly runtime: Pick<Runtime, "createAccount" | "updateAccount">;
}

/** Distinguishes these accounts from those of `x accounts add`. */
const accountName = "x dev --accounts";

export function createDevAccounts({ accounts: initial, state, runtime }: DevAccountsOptions): DevAccounts {
  let current = initial;
  /** Ids by app and key: each account is stored once per version of the file. */
  const ids = new Map<string, Promise<string>>();

  async function store({ app, key }: AccountChoice): Promise<string> {
    const auth = current[key] ?? {};
    const known = state.accountOf(app, key);
    if (known !== undefined) {
      try {
        return (await runtime.updateAccount(known, { auth })).id;
      } catch (error) {
        if (!XError.is(error) || error.code !== "not_found") throw error;
      }
    }
    const { id } = await runtime.createAccount({ app, name: accountName, auth });
    state.setAccount(app, key, id);
    return id;
  }

  function storedId(choice: AccountChoice): Promise<string> {
    const name = JSON.stringify([choice.app, choice.key]);
    const known = ids.get(name);
    if (known) return known;
    const id = store(choice);
    ids.set(name, id);
    id.catch(() => ids.delete(name));
    return id;
  }

  return {
    async propsFor(shape) {
      const props: [string, Json][] = [];
      for (const choice of accountChoices(shape, current))
        props.push([choice.prop, { authProvisionId: await storedId(choice) }]);
      return Object.fromEntries(props);
    },
    replace(accounts) {
      current = accounts;
      ids.clear();
    },
  };
}
