import type { Query } from "./query.ts";

const prefixes = { source: /^(?:dc|p)_/, webhook: /^wh_/, account: /^apn_/ };

/**
 * Where an item stands in the user's list, or stood before it was deleted. What belongs to somebody else has no place, like
 * what never was: a cursor must not tell the two apart.
 */
export function readPlace(
  query: Query,
  table: "source" | "webhook" | "account",
  userId: string,
  id: string,
): number | undefined {
  // The places of all that is deleted are in one table.
  if (!prefixes[table].test(id)) return undefined;
  const places = [table, "source_place"].map((name) => `SELECT place FROM ${name} WHERE id = ?1 AND user_id = ?2`);
  return query.one<{ place: number }>(`${places.join(" UNION ALL ")} LIMIT 1`, id, userId)?.place;
}
