import type { Sealing } from "../contract.ts";
import type { MovedRow, MovedType, MovedValue } from "./moved-tables.ts";

/** What an export says about itself. */
export interface ExportHeader {
  /** The release that made it. */
  readonly release: string;
  /** How the secrets in its records are encrypted. */
  readonly sealing: Sealing;
}

export const format = "x export";
export const formatVersion = 1;

/** The first line. */
export interface HeaderLine extends ExportHeader {
  readonly format: string;
  readonly version: number;
}

/** Begins a table; its rows follow, each a line with an array. */
export interface TableLine {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The last line: an export without it was cut off. */
export interface EndLine {
  readonly end: true;
  readonly rows: number;
  /** Of all lines before. */
  readonly sha256: string;
}

export type ExportLine = HeaderLine | TableLine | EndLine | readonly unknown[];

/** The values of a row as JSON has them. */
export const encodeRow = (row: MovedRow): unknown[] =>
  row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value));

/** The value of a column; null for one that JSON does not have. */
export function decodeValue(type: MovedType, value: unknown): MovedValue {
  if (typeof value === "string") return type === "bytes" ? Buffer.from(value, "base64") : value;
  return typeof value === "number" ? value : null;
}
