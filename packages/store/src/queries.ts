import type { DeliveryPage, EventId, ExecutionStatus, Page } from "@x/model";

/** An inclusive range of event ids; an absent end is open. */
export interface EventRange {
  readonly start?: EventId;
  readonly end?: EventId;
}

/** Which executions of a source are kept: the newest, and the newest failed ones. */
export interface KeptExecutions {
  readonly keep: number;
  readonly keepFailed: number;
}

/** A page of events, newest first: `after` an id come older ones, `before` an id newer ones. */
export interface EventRecordPage {
  readonly limit: number;
  readonly after?: EventId;
  readonly before?: EventId;
  /** Only events of this channel; empty for the default stream. */
  readonly name?: string;
  /** Most bytes of all payloads of the page. The page has at least one event. */
  readonly bytes?: number;
  /** Most bytes of one payload. For longer ones `payload` is empty and `payloadBytes` is their length. */
  readonly wholeBytes?: number;
  /** Called with the bytes of all payloads before they are read. An `XError` that it throws rejects the call. */
  readonly admit?: (bytes: number) => void;
  /** Rejects with `invalid_parameter` for a cursor that is newer than all events of the stream so far. */
  readonly onlyKnown?: boolean;
}

export interface EventQuery extends EventRecordPage {
  /** Only the newest `retention` events are visible. */
  readonly retention: number;
}

/** A selection of executions. The newest commit is first; a cursor that is not stored selects by its time. */
export interface ExecutionQuery extends Page {
  /** Executions of this source, of which only `kept` ones are visible; absent: of all sources of the user. */
  readonly source?: { readonly id: string; readonly kept: KeptExecutions };
  /** `failed`: any status except `ok`. */
  readonly status?: ExecutionStatus | "failed";
  /** Only those that ended at this time or later. */
  readonly since?: number;
}

/** A page of a list of one user. */
export interface ListQuery extends Page {
  /** False: nobody wants the number of all items, and `totalCount` is 0. */
  readonly total?: false;
}

/** A page of deliveries, newest first. */
export interface DeliveryQuery extends DeliveryPage, ListQuery {
  /** Only those with an attempt. */
  readonly attempted?: boolean;
}

export interface SearchedExecution {
  readonly id: string;
  /** Of its record. */
  readonly bytes: number;
  readonly found: boolean;
}

/** Epoch milliseconds. */
export interface DeliveryTimes {
  readonly now: number;
  /** Deliveries that were created then or later count as recent ones. */
  readonly since: number;
}

/** Numbers of deliveries of one webhook. */
export interface DeliveryCounts {
  readonly pending: number;
  /** When the first pending one was created; null for none. */
  readonly oldestPendingAt: number | null;
  /** Pending ones whose next attempt is due. */
  readonly due: number;
  readonly dead: number;
  readonly delivered: number;
  /** When the first delivered one that is stored was created; null for none. */
  readonly oldestDeliveredAt: number | null;
  /** Recent ones that were delivered. */
  readonly recentlyDelivered: number;
  /** Recent ones that have failed so far, or for good. */
  readonly recentlyFailed: number;
}
