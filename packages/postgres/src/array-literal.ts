import type { RowValue } from "@x/runtime/store";

import { pgText } from "./pg-text.ts";

const special = /["\\]/g;

const escaped = (text: string): string => `"${text.replace(special, String.raw`\$&`)}"`;

function elementText(value: RowValue): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return escaped(pgText(value));
  if (typeof value === "object")
    return String.raw`"\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}"`;
  return String(value);
}

/** The text of an array in PostgreSQL's syntax. */
export const arrayLiteral = (values: readonly RowValue[]): string => `{${values.map(elementText).join(",")}}`;
