import type { SecretMask } from "../invocation/secrets/secret-mask.ts";
import type { RecordedDataStoreChange, RecordedDbChange } from "@x/model";
import type { Change } from "@x/store";
import { maskedJson } from "./masked.ts";
import type { RecordBounds, Room } from "./record-bounds.ts";

/** A db write of an execution. */
export type DbSet = Extract<Change, { op: "db.set" }>;

/** The db writes among the changes of an execution. */
export const dbSetsOf = (changes: readonly Change[]): readonly DbSet[] =>
  changes.filter((change): change is DbSet => change.op === "db.set");

/** The record of one db write. `before`: the JSON text of the key before it. */
export function recordedDbChange(
  { key, value }: Pick<DbSet, "key" | "value">,
  before: string | undefined,
  mask: SecretMask,
  room: Room,
  { dbChange }: Pick<RecordBounds, "dbChange">,
): RecordedDbChange {
  const shown = { key: mask.text(key) };
  if (!room.take((before?.length ?? 0) + (value?.length ?? 0), dbChange))
    return { ...shown, before: null, after: null, truncated: true };
  const masked = (json: string | undefined): string | null => (json === undefined ? null : maskedJson(json, mask));
  return { ...shown, before: masked(before), after: masked(value) };
}

/** A write of an execution to a data store. */
export type DataStoreSet = Extract<Change, { op: "data_store.set" }>;

/** The writes to data stores among the changes of an execution. */
export const dataStoreSetsOf = (changes: readonly Change[]): readonly DataStoreSet[] =>
  changes.filter((change): change is DataStoreSet => change.op === "data_store.set");

/** The record of one write to a data store. `before`: the JSON text of the key before it. */
export const recordedDataStoreChange = (
  write: DataStoreSet,
  before: string | undefined,
  mask: SecretMask,
  room: Room,
  bounds: Pick<RecordBounds, "dbChange">,
): RecordedDataStoreChange => ({
  name: mask.text(write.name),
  ...recordedDbChange(write, before, mask, room, bounds),
});
