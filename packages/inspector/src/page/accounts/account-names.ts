import type { Account } from "@x/client";

import { readByIds } from "../api/pages.ts";

/** Ids of accounts of the service; those of an `accounts` callback may be any text. */
const storedId = /^apn_\w+$/;

/** What these accounts are called, by their ids. Has none when they cannot be read: names only decorate a page. */
export async function readAccountNames(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const stored = ids.filter((id) => storedId.test(id));
  try {
    const accounts = await readByIds<Account>("/users/me/accounts", stored, { include: "id,name" }, signal);
    return new Map(accounts.map(({ id, name }) => [id, name ?? id]));
  } catch {
    return new Map();
  }
}
