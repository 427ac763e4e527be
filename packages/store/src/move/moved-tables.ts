import type { Sealing } from "../contract.ts";

/** `flag` is 0 or 1. */
export type MovedType = "text" | "integer" | "real" | "flag" | "bytes";

export type MovedValue = string | number | null | Uint8Array;

/** The values of a row, in the order of its table's columns. */
export type MovedRow = readonly MovedValue[];

export interface MovedColumn {
  readonly name: string;
  readonly type: MovedType;
}

/** A table in the form that is the same for every database. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** The columns that order its rows in an export. */
  readonly order: readonly string[];
}

function table(name: string, columns: string, order = "position"): MovedTable {
  return {
    name,
    columns: columns.split(" ").map((column): MovedColumn => {
      const [own = "", type = "text"] = column.split(":");
      return { name: own, type: type as MovedType };
    }),
    order: order.split(" "),
  };
}

/**
 * Everything that a store holds but its sealing, which is apart, digests that depend on its key, and what belongs to the running processes: the epoch, nodes.
 * Payloads that several rows share come before them, and components before their texts.
 */
export const movedTables: readonly MovedTable[] = [
  table("user", "position:integer id api_key record"),
  table("account", "position:integer id user_id app record"),
  table("app", "user_id slug record", "user_id slug"),
  table("app_endpoint", "user_id slug key record", "user_id slug"),
  table("app_listener", "app name user_id source_id prop account_id active:flag", "app name user_id source_id prop"),
  table("app_event", "position:integer user_id slug id at:real"),
  table("request", "position:integer owner record"),
  table("project", "user_id name record", "user_id name"),
  table("package_lock", "hash key record", "hash"),
  table("component", "position:integer id user_id key content_hash lock_hash record"),
  table("text", "hash text", "hash"),
  table("registry_file", "registry id record", "registry id"),
  table("source", "position:integer id user_id name_slug component_id record"),
  table("endpoint", "key source_id prop", "key"),
  table("transition", "source_id crashes:integer running:flag record", "source_id"),
  table("list_position", "id position:integer user_id", "id"),
  table("subscription", "position:integer id user_id emitter_id listener_id event_name created_at:real"),
  table("auto_subscription", "position:integer id user_id event_name listener_id created_at:real"),
  table("webhook", "position:integer id user_id skipped:integer record"),
  table("kv", "source_id key updated_at:real value", "source_id key"),
  table("data_store", "user_id name key updated_at:real value", "user_id name key"),
  table("dedupe", "source_id channel strategy ids", "source_id channel"),
  table("stream_head", "emitter_id stream:integer ms:integer seq:integer", "emitter_id stream"),
  table("timer", "source_id at:real last_at:real", "source_id"),
  table("usage", "user_id day invocations:integer compute_ms:real", "user_id day"),
  table("shared_payload", "emit_id uses:integer bytes:integer payload", "emit_id"),
  table(
    "event",
    "emitter_id stream:integer ms:integer seq:integer name emit_id dedupe_id summary ts:real bytes:integer shared:flag payload",
    "emitter_id stream ms seq",
  ),
  table(
    "inbox",
    "position:integer id source_id type http_prop at:real crashes:integer hops:integer of_error:flag running:flag emit_id bytes:integer origin received event body:bytes",
  ),
  table(
    "delivery",
    "position:integer id webhook_id emitter_id event_ms:integer event_seq:integer emit_id event_name ts:real status next_at:real created_at:real attempts bytes:integer shared:flag trace payload",
  ),
  table("execution", "position:integer id source_id user_id status:integer ended_at:real bytes:integer summary detail"),
];

/** One state of a store, to be read once. */
export interface RowSource {
  /** For messages. */
  readonly name: string;
  /** True while a service uses the store: what it does from now on is not in this state. */
  readonly isInUse: boolean;
  readonly sealing: Sealing | undefined;
  /** The rows of a table in batches of a few MiB at most, but at least one row. Nothing is marked as running. */
  batches(table: MovedTable): AsyncIterable<readonly MovedRow[]>;
  close(): Promise<void>;
}

/** An empty store that is filled. Nothing of it can be seen until it is finished. */
export interface RowTarget {
  /** For messages. */
  readonly name: string;
  write(table: MovedTable, rows: readonly MovedRow[]): Promise<void>;
  /** Makes everything durable at once, and closes the target. */
  finish(sealing: Sealing): Promise<void>;
  /** Leaves the target as it was, and closes it. */
  abandon(): Promise<void>;
}

const batchBytes = 4 * 1024 * 1024;
const batchRows = 1_000;

const sizeOf = (value: MovedValue): number =>
  typeof value === "string" || value instanceof Uint8Array ? value.length : 8;

/** Collects rows into batches of limited size. */
export function createBatch(): { add(row: MovedRow): void; isFull(): boolean; take(): readonly MovedRow[] } {
  let rows: MovedRow[] = [];
  let bytes = 0;
  return {
    add(row) {
      rows.push(row);
      for (const value of row) bytes += sizeOf(value);
    },
    isFull: () => bytes >= batchBytes || rows.length >= batchRows,
    take() {
      const taken = rows;
      rows = [];
      bytes = 0;
      return taken;
    },
  };
}

/** The place of a column in the rows of a table. */
export const columnIndex = ({ columns }: MovedTable, name: string): number =>
  columns.findIndex((column) => column.name === name);
