import type { AccountFilter } from "./contract.ts";
import { parseSearch, type Account, type Page, type Paged } from "@x/model";
import type { ListQuery, MatchingLists, Store } from "@x/store";

export interface AccountListParts {
  readonly store: Pick<Store, "accounts">;
  readonly lists: MatchingLists;
}

/** A page of the user's accounts that match. */
export async function listAccounts(
  page: Page,
  { app, text = "" }: AccountFilter,
  userId: string,
  { store, lists }: AccountListParts,
): Promise<Paged<Account>> {
  const read = (slice: ListQuery): Promise<Paged<Account>> => store.accounts(userId, slice, app);
  const isFound = parseSearch(text);
  if (!isFound) return read(page);
  const matches = ({ id, app: slug, name }: Account): boolean => isFound([slug, name], id);
  return lists.page({ key: JSON.stringify([userId, app, text]), read, matches }, page);
}
