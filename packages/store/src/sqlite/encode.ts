import type { Change } from "../contract.ts";
import { losslessText } from "../lossless-text.ts";
import { addChanges } from "../rows/encode.ts";
import type { RowList, RowValue } from "../rows/row-list.ts";
import { writeNumbers, type Work } from "./statements.ts";

/** Place of the dedupe id among the values of an event. */
const dedupeIdAt = 6;

/** Encodes one commit as work for the writer. */
export function encodeChanges(changes: readonly Change[]): Work {
  const work: Work = [];
  const list: RowList = {
    add(write, _touches, ...values: RowValue[]) {
      // Only nodes exchange messages.
      if (write === "finishMessage") return;
      work.push(writeNumbers[write]);
      const dedupeId = write === "addEvent" ? values[dedupeIdAt] : null;
      if (typeof dedupeId === "string") values[dedupeIdAt] = losslessText(dedupeId);
      for (const value of values) work.push(typeof value === "boolean" ? Number(value) : value);
    },
  };
  addChanges(list, changes);
  return work;
}
