import type { Account } from "@x/client";

import { readByIds } from "../api/pages.ts";

/** What these accounts are called, by their ids. */
export async function readAccountNames(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const accounts = await readByIds<Account>("/users/me/accounts", ids, { include: "id,name" }, signal);
  return new Map(accounts.map(({ id, name }) => [id, name ?? id]));
}
