import { type Paged, XError } from "@x/runtime";

import type { ParameterOf } from "../schema.ts";

/** The ids that a list is restricted to. */
export const idsParameter: ParameterOf<"string"> = {
  type: "string",
  maxLength: 4_000,
  pattern: "^([A-Za-z0-9_]+(,[A-Za-z0-9_]+){0,99})?$",
  description: "at most 100 ids, separated by commas; not with q, status or app",
};

const filters = ["q", "status", "app"] as const;
const longestShown = 60;

type IdsQuery = { readonly ids: string } & { readonly [filter in (typeof filters)[number]]?: string };

/**
 * What has these ids, without those that do not exist, as one page. Throws `invalid_parameter` if the query has a filter too: it
 * would be ignored.
 */
export async function findListed<T>(query: IdsQuery, find: (id: string) => Promise<T>): Promise<Paged<T>> {
  const filter = filters.find((name) => query[name]);
  if (filter) {
    const got = JSON.stringify(query[filter]?.slice(0, longestShown));
    throw new XError("invalid_parameter", [filter, "absent when ids are given", got]);
  }
  const found = await Promise.all(
    [...new Set(query.ids.split(","))].map((id) =>
      find(id).catch((error: unknown) => {
        if (XError.is(error) && error.code === "not_found") return undefined;
        throw error;
      }),
    ),
  );
  const items = found.filter((item) => item !== undefined);
  return { totalCount: items.length, items };
}
