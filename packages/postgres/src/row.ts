import type { RowList, RowValue } from "@x/runtime/store";

import type { WriteName } from "./writes.ts";

/** One row of a write, as a change of a commit becomes it. */
export interface Row {
  readonly write: WriteName;
  readonly values: readonly RowValue[];
  /**
   * What it reads or writes: a table, or `table:key` for some of its rows. Rows that touch the same stay in their order; others
   * may move beside rows of the same write.
   */
  readonly touches: readonly string[];
}

/** Collects the rows of a commit, also those of writes that are not of changes. */
export interface FullRowList extends RowList {
  readonly rows: readonly Row[];
  /** About. */
  readonly bytes: number;
  add(write: WriteName, touches: string | readonly string[], ...values: RowValue[]): void;
}

const sizeOf = (value: RowValue): number =>
  typeof value === "string" || value instanceof Uint8Array ? value.length : 8;

export function createRowList(): FullRowList {
  const rows: Row[] = [];
  let bytes = 0;
  return {
    rows,
    get bytes() {
      return bytes;
    },
    add(write, touches, ...values) {
      for (const value of values) bytes += sizeOf(value);
      rows.push({ write, values, touches: typeof touches === "string" ? [touches] : touches });
    },
  };
}
