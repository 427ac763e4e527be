export type { Cluster, ClusterHandlers, Emitted, NodeView, Slots } from "./cluster-contract.ts";
export type { CommitStats } from "./commit-counts.ts";
export type { DataStoreReads, DataStoreSize, DataStoreValue } from "./data-store-contract.ts";
export type {
  Change,
  DeliveryLane,
  ExecutionChange,
  Memory,
  SourceDb,
  Store,
  StoredTimer,
  StoredTransition,
} from "./contract.ts";
export { identityFieldsOf } from "./rows/account-identity.ts";
export type { EventRange, EventRecordPage, KeptExecutions, ListQuery } from "./queries.ts";
export { type KeyvLike, createSourceDb, externalDb } from "./keyv.ts";
export { listItems } from "./list-items.ts";
export { type MatchingLists, createMatchingLists } from "./matching-lists.ts";
export { createMemory, createMemoryStore } from "./memory/memory.ts";
export { type DataExport, type MadeExport, exportData } from "./move/export-data.ts";
export { type DataImport, type MadeImport, importData } from "./move/import-data.ts";
export type { RowSource, RowTarget } from "./move/moved-tables.ts";
export { type InspectedData, type InspectedStore, checkSecretKey, inspectData } from "./sealed/inspect.ts";
export { openSealedStore } from "./sealed/open-sealed.ts";
export { type DataRestore, type RestoredData, restoreData } from "./sealed/restore.ts";
export { type SecretKeyRotation, rotateSecretKey } from "./sealed/rotate-secret-key.ts";
export { parseSecretKey } from "./sealed/secret-key.ts";
export { createSlots, slotCount, slotOf } from "./slot.ts";
export { type BackupProgress, type DataBackup, type MadeBackup, backupData } from "./sqlite/backup.ts";
export { openSqliteStore } from "./sqlite/sqlite.ts";
export { type Texts, createTexts } from "./texts.ts";
