import { XError } from "@x/runtime";
import type { RowValue } from "@x/runtime/store";

import { arrayLiteral } from "./array-literal.ts";
import type { Row } from "./row.ts";
import { type Write, type WriteName, writes } from "./writes.ts";

/** One statement of a batch, with the rows of all commits that use it there. */
export interface PlannedWrite {
  readonly write: WriteName;
  /** One array for each column. */
  readonly values: readonly string[];
}

type Values = readonly RowValue[];

interface Group {
  readonly write: WriteName;
  readonly rows: Values[];
}

/** The last group that touched a table, as a whole or some of its rows. */
interface TableUse {
  last: number;
  whole: number;
  readonly keys: Map<string, number>;
}

const noGroup = -1;

/** Finds the last group that a row must not come before, and notes the group of rows. */
function createUses() {
  const tables = new Map<string, TableUse>();
  const useOf = (table: string): TableUse => {
    const known = tables.get(table);
    if (known) return known;
    const made = { last: noGroup, whole: noGroup, keys: new Map<string, number>() };
    tables.set(table, made);
    return made;
  };
  const split = (touched: string): [table: string, key: string | undefined] => {
    const colon = touched.indexOf(":");
    return colon === -1 ? [touched, undefined] : [touched.slice(0, colon), touched.slice(colon + 1)];
  };
  return {
    lastBefore(touches: readonly string[]): number {
      let last = noGroup;
      for (const touched of touches) {
        const [table, key] = split(touched);
        const use = useOf(table);
        last = Math.max(last, key === undefined ? use.last : Math.max(use.whole, use.keys.get(key) ?? noGroup));
      }
      return last;
    },
    note(touches: readonly string[], group: number): void {
      for (const touched of touches) {
        const [table, key] = split(touched);
        const use = useOf(table);
        use.last = Math.max(use.last, group);
        if (key === undefined) use.whole = Math.max(use.whole, group);
        else use.keys.set(key, group);
      }
    },
  };
}

/** Groups rows by their writes. A row joins an earlier group of its write unless it would pass a row that touches the same. */
function groupRows(rows: Iterable<Row>): Group[] {
  const groups: Group[] = [];
  const latest = new Map<WriteName, number>();
  const uses = createUses();
  for (const { write, values, touches } of rows) {
    const known = latest.get(write) ?? noGroup;
    const joins = known !== noGroup && known >= uses.lastBefore(touches);
    const index = joins ? known : groups.length;
    if (joins) groups[known]?.rows.push(values);
    else groups.push({ write, rows: [values] });
    latest.set(write, index);
    uses.note(touches, index);
  }
  return groups;
}

/** Keeps the last row of each key, in the order of their first ones. */
function lastOfEach(rows: readonly Values[], key: readonly number[]): readonly Values[] {
  if (rows.length === 1) return rows;
  const kept = new Map<string, Values>();
  for (const row of rows) kept.set(key.map((column) => String(row[column]).replaceAll("\n", "\n\n")).join("\n "), row);
  return [...kept.values()];
}

/** Joins the moves of a head. Each must begin after the end of the one before. */
function mergeHeads(rows: readonly Values[]): readonly Values[] {
  const merged = new Map<string, Values>();
  for (const row of rows) {
    const [emitter, stream, ms, seq, firstMs, firstSeq] = row;
    const key = `${String(emitter)} ${String(stream)}`;
    const before = merged.get(key);
    if (!before) {
      merged.set(key, row);
      continue;
    }
    const [, , endMs, endSeq] = before;
    if (Number(firstMs) < Number(endMs) || (firstMs === endMs && Number(firstSeq) <= Number(endSeq))) {
      const id = `${String(firstMs)}-${String(firstSeq)}`;
      throw new XError("store_failed", ["commit", `event id ${id} of ${String(emitter)} is not after its newest`]);
    }
    merged.set(key, [emitter ?? null, stream ?? null, ms ?? null, seq ?? null, before[4] ?? null, before[5] ?? null]);
  }
  return [...merged.values()];
}

function planGroup({ write, rows }: Group): PlannedWrite {
  const { columns, key }: Write = writes[write];
  const kept = write === "moveHead" ? mergeHeads(rows) : key ? lastOfEach(rows, key) : rows;
  const values = Array.from({ length: columns }, (_, column) => arrayLiteral(kept.map((row) => row[column] ?? null)));
  return { write, values };
}

/** The statements of one transaction: the effect is that of all rows in their order. Throws `store_failed`. */
export const planWrites = (rows: Iterable<Row>): PlannedWrite[] => groupRows(rows).map(planGroup);
