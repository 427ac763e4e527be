/** What an implementation of `Store` outside of this package needs; the entry `@x/runtime/store`. */
export type * from "./contract.ts";
export type * from "./cluster-contract.ts";
export type { NodeView } from "../api/node-api.ts";
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
export { statusNumbers, streamNumbers } from "./numbers.ts";
export { compareEventIds, formatEventId } from "../model/event-id.ts";
export { unknownCursor } from "../model/cursor.ts";
export type {
  AutoSubscription,
  Delivery,
  DeliveryAttempt,
  DeliveryPage,
  DeliveryStatus,
  QueuedDelivery,
  Subscription,
  Webhook,
} from "../model/listener-model.ts";
export type { Project } from "../model/project.ts";
export type { AccountApp } from "../model/account-app.ts";
export type { ExecutionDetail, ExecutionRecord, ExecutionSummary } from "../model/execution-model.ts";
export type {
  Account,
  Component,
  ComponentTexts,
  DedupeState,
  EventId,
  Page,
  Paged,
  Source,
  SourceState,
  SourceType,
  StoredEvent,
  StreamKind,
  Trigger,
  TriggerHead,
  User,
} from "../model/model.ts";
export { triggerBytes } from "../model/trigger-bytes.ts";
export type { TriggerOrigin } from "../model/trigger-origin.ts";
export { type CommitCounts, createCommitCounts } from "../observe/commit-counts.ts";
export { monotonicMs } from "../process/clock.ts";
