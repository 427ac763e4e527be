/** What an implementation of `Store` outside of this package needs; the entry `@x/runtime/store`. */
export type * from "./app-contract.ts";
export type * from "./contract.ts";
export type { StoreReads } from "./reads.ts";
export type * from "./queries.ts";
export type * from "./cluster-contract.ts";
export type * from "./data-store-contract.ts";
export { createSlots, slotCount, slotOf } from "./slot.ts";
export { countWithin } from "./byte-cut.ts";
export { type ComponentRows, componentRows } from "./component-rows.ts";
export { losslessText, readLossless } from "./lossless-text.ts";
export { type SharedPayloads, sharedPayloads } from "./payload-sharing.ts";
export {
  createBatch,
  type MovedColumn,
  type MovedRow,
  type MovedTable,
  movedTables,
  type MovedType,
  type MovedValue,
  type RowSource,
  type RowTarget,
} from "./move/moved-tables.ts";
export * from "./rows/app-rows.ts";
export * from "./rows/delivery-row.ts";
export { addChanges, type EncodingNode } from "./rows/encode.ts";
export * from "./rows/event-row.ts";
export * from "./rows/execution-row.ts";
export * from "./rows/record-row.ts";
export * from "./rows/row-list.ts";
export * from "./rows/source-rows.ts";
export * from "./rows/trigger-row.ts";
export { statusNumbers, streamNumbers } from "./numbers.ts";
export {
  compareEventIds,
  formatEventId,
  monotonicMs,
  triggerBytes,
  type Account,
  type AccountApp,
  type AppEndpoint,
  type AutoSubscription,
  type Component,
  type ComponentTexts,
  type DedupeState,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryPage,
  type DeliveryStatus,
  type EventId,
  type ExecutionDetail,
  type ExecutionRecord,
  type ExecutionSummary,
  type Page,
  type Paged,
  type Project,
  type QueuedDelivery,
  type RequestEntry,
  type Source,
  type SourceState,
  type SourceType,
  type StoredEvent,
  type StreamKind,
  type Subscription,
  type Trigger,
  type TriggerHead,
  type TriggerOrigin,
  type User,
  type Webhook,
  unknownCursor,
} from "@x/model";
export { type CommitCounts, createCommitCounts } from "./commit-counts.ts";
