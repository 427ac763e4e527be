import type { SourceFilter } from "../api/api.ts";
import { parseSearch, type Clock, type Page, type Paged, type Source } from "@x/model";
import type { ListQuery, MatchingLists, Store } from "@x/store";
import { hasFailed } from "./source-activity.ts";

export interface SourceListParts {
  readonly store: Pick<Store, "sources" | "eventCounts">;
  readonly lists: MatchingLists;
  readonly clock: Pick<Clock, "now">;
}

/** A page of the user's sources that match. */
export async function listSources(
  page: Page,
  { text = "", status, app }: SourceFilter,
  userId: string,
  { store, lists, clock }: SourceListParts,
): Promise<Paged<Source>> {
  const read = (slice: ListQuery): Promise<Paged<Source>> => store.sources(userId, slice, "dc");
  const isFound = parseSearch(text);
  if (!isFound && status === undefined && app === undefined) return read(page);
  const now = clock.now();
  const matches = ({ id, name, nameSlug, active, appEvents = {} }: Source): boolean | Promise<boolean> => {
    if (isFound?.([name, nameSlug], id) === false) return false;
    if (app !== undefined && !Object.values(appEvents).some((each) => each.app === app)) return false;
    if (status === undefined) return true;
    return status === "failing" ? hasFailed(id, now, store) : active === (status === "active");
  };
  return lists.page({ key: JSON.stringify([userId, text, status, app]), read, matches }, page);
}
