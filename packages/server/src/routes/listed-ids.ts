import { type Paged, XError } from "@x/runtime";

import type { ParameterOf } from "../schema.ts";

/** The ids that a list is restricted to. */
export const idsParameter: ParameterOf<"string"> = {
  type: "string",
  maxLength: 4_000,
  pattern: "^([A-Za-z0-9_]+(,[A-Za-z0-9_]+){0,99})?$",
  description: "at most 100 ids, separated by commas",
};

/** What has these ids, without those that do not exist, as one page. */
export async function findListed<T>(ids: string, find: (id: string) => Promise<T>): Promise<Paged<T>> {
  const found = await Promise.all(
    [...new Set(ids.split(","))].map((id) =>
      find(id).catch((error: unknown) => {
        if (XError.is(error) && error.code === "not_found") return undefined;
        throw error;
      }),
    ),
  );
  const items = found.filter((item) => item !== undefined);
  return { totalCount: items.length, items };
}
