import type { SecretMask } from "../invocation/secrets/secret-mask.ts";
import type { RecordedDataStoreChange } from "@x/model";
import type { Change } from "@x/store";
import type { RecordBounds, Room } from "./record-bounds.ts";
import { recordedDbChange } from "./recorded-db.ts";

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
