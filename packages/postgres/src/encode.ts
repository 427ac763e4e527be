import { addChanges, type Change, type EncodingNode, type RowValue } from "@x/runtime/store";

import { packText } from "./packed-text.ts";
import { createRowList, type FullRowList } from "./row.ts";

/** Texts of components are compressed; each by itself. */
const packed = ([hash = null, , text]: readonly RowValue[]): RowValue[] => [hash, packText(String(text))];

/** The rows of one commit. */
export function encodeChanges(changes: readonly Change[], node?: EncodingNode): FullRowList {
  const list = createRowList();
  addChanges(
    {
      add: (write, touches, ...values) => list.add(write, touches, ...(write === "putText" ? packed(values) : values)),
    },
    changes,
    node,
  );
  return list;
}
