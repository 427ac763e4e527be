import type { DbEntry } from "../api/api.ts";
import { XError, inSlices, mapInSteps, type Json, type Limits } from "@x/model";

/** A key with its value as JSON text. */
export interface StoredValue {
  readonly key: string;
  readonly value: string;
  readonly updatedAt: number | null;
}

/** Values as they are shown, sorted by key. */
export async function shownEntries(stored: readonly StoredValue[]): Promise<DbEntry[]> {
  const sorted = stored.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  // There may be 200,000 of them: to parse all values as one list takes a fraction of the time.
  const values = JSON.parse(`[${sorted.map(({ value }) => value).join(",")}]`) as Json[];
  return inSlices(
    mapInSteps(sorted, ({ key, updatedAt }, index): DbEntry => ({ key, value: values[index] ?? null, updatedAt })),
  );
}

/** Throws for a key or value (JSON text) that exceeds the limits of components. */
export function checkSize(key: string, value: string | undefined, limits: Limits): void {
  const keyBytes = Buffer.byteLength(key);
  if (key === "" || keyBytes > limits.dbKeyBytes)
    throw new XError("invalid_parameter", ["key", `1 to ${limits.dbKeyBytes} bytes`, `${keyBytes} bytes`]);
  if (!key.isWellFormed())
    throw new XError("invalid_parameter", [
      "key",
      "whole characters",
      `${JSON.stringify(key)}, with half of a surrogate pair`,
    ]);
  const bytes = value === undefined ? 0 : Buffer.byteLength(value);
  if (bytes > limits.dbValueBytes)
    throw new XError("db_value_too_large", [key, String(limits.dbValueBytes), String(bytes)]);
}
