import type { Page, Paged, Source } from "../../model/model.ts";
import { readPlacedPage } from "./placed-page.ts";
import type { Query } from "./query.ts";
import { readPlace } from "./read-place.ts";
import { parseRecord, type RecordRow } from "./rows.ts";

/** A page of a user's sources and workflows, newest created first; cursors of deleted ones keep their place. */
export function readSources(query: Query, userId: string, page: Page, only?: "dc" | "p"): Paged<Source> {
  // As the index has it.
  const [kind, ...kinds] = only === undefined ? [""] : [" AND substr(id, 1, 2) = ?", only.padEnd(2, "_")];
  const rows = {
    columns: "record",
    from: `source WHERE user_id = ?${kind}`,
    values: [userId, ...kinds],
    sizeOf: ({ record }: RecordRow) => record.length,
    placeOf: (id: string) =>
      only === undefined || id.startsWith(`${only}_`) ? readPlace(query, "source", userId, id) : undefined,
  };
  return readPlacedPage(query, rows, page, parseRecord<Source>);
}
