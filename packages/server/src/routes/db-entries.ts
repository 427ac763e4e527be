import type { DbEntry } from "@x/runtime";

import type { Answer } from "@x/http";
import { viewDbEntry } from "@x/resources";
import { searchIn, searchItems, type SearchQuery } from "../list-search.ts";
import { cutKeyPage, formatCursor, pageAnswer, type PageQuery } from "../page.ts";
import { pageOf, type RouteAnswer } from "../route-answer.ts";
import { pageParameters } from "./parameters.ts";

const longestCursor = 1_000;

/** The parameters of a list of entries, whose cursors are keys. */
export const entriesQuery: typeof pageParameters & ReturnType<typeof searchIn> = {
  ...pageParameters,
  ...searchIn("the key"),
  after: { ...pageParameters.after, maxLength: longestCursor },
  before: { ...pageParameters.after, maxLength: longestCursor },
};

/** What a list of entries is answered with. */
export const entriesAnswer: RouteAnswer = pageOf("DbEntry", "A page of entries, sorted by key.");

/** One page of the entries of a db or data store. */
export const answerEntries = async (
  entries: readonly DbEntry[],
  query: PageQuery & SearchQuery,
  select: (resource: object) => object,
): Promise<Answer> =>
  pageAnswer(
    cutKeyPage(await searchItems(entries, query, ({ key }) => [key]), query),
    (entry) => formatCursor(entry.key),
    (entry) => select(viewDbEntry(entry)),
  );
