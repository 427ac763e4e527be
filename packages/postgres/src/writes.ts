import { type ChangeWrite, changeWrites } from "@x/runtime/store";

import { inSlots } from "./slot-condition.ts";

/** One statement of a commit. It takes the rows of many commits at once, as one array for each column. */
export interface Write {
  readonly sql: string;
  readonly columns: number;
  /** Of rows with equal values in these columns, the last one replaces the others. */
  readonly key?: readonly number[];
}

/** `columns` are names with types; `@rows` in the statement becomes a table `r` of them, with the number of the row in `n`. */
function write(columns: string, sql: string, key?: readonly number[]): Write {
  const pairs = columns.split(", ").map((column) => column.split(" "));
  const arrays = pairs.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ");
  const names = pairs.map(([name]) => name).join(", ");
  const rows = `unnest(${arrays}) WITH ORDINALITY AS r (${names}, n)`;
  return { sql: sql.replaceAll("@rows", rows), columns: pairs.length, ...(key && { key }) };
}

/** Inserts rows in their order. */
function insert(table: string, columns: string, conflict = "", key?: readonly number[]): Write {
  const names = columns.replace(/ \w+(?=,|$)/g, "");
  const values = columns
    .split(", ")
    .map((column) => `r.${column.split(" ")[0]}`)
    .join(", ");
  return write(columns, `INSERT INTO @${table} (${names}) SELECT ${values} FROM @rows ORDER BY r.n ${conflict}`, key);
}

/** Inserts rows, or replaces those with the same key, which are the first columns. */
function put(table: string, columns: string, keyColumns = 1): Write {
  const names = columns.split(", ").map((column) => column.split(" ")[0] ?? "");
  const updates = names.slice(keyColumns).map((name) => `${name} = excluded.${name}`);
  const conflict = `ON CONFLICT (${names.slice(0, keyColumns).join(", ")}) DO UPDATE SET ${updates.join(", ")}`;
  const key = Array.from({ length: keyColumns }, (_, index) => index);
  return insert(table, columns, conflict, key);
}

const remove = (table: string, column: string): Write => ({
  sql: `DELETE FROM @${table} WHERE ${column} = ANY ($1::text[])`,
  columns: 1,
});

/** Keeps the position of an item that is deleted next, for cursors that name it. */
const keepPosition = (table: string): Write => ({
  sql: `INSERT INTO @list_position (id, position, user_id)
      SELECT id, position, user_id FROM @${table} WHERE id = ANY ($1::text[])
      ON CONFLICT (id) DO UPDATE SET position = excluded.position, user_id = excluded.user_id`,
  columns: 1,
});

const withoutRows = (sql: string): Write => ({ sql, columns: 0 });
const nothing = "ON CONFLICT DO NOTHING";

/** Statements of commits that are not of changes. */
const ownWrites = [
  "seeTrigger",
  "countCrashes",
  "countCrashesIn",
  "settleTriggers",
  "countTransitionCrashes",
  "countTransitionCrashesIn",
  "settleTriggersIn",
  "settleTransitionsIn",
  "releaseSlot",
  "settleTransitions",
] as const;

export type WriteName = ChangeWrite | (typeof ownWrites)[number];

/** The names of the statements of commits. */
export const writeNames: readonly WriteName[] = [...changeWrites, ...ownWrites];

/** The statements of commits, by name. */
export const writes: { readonly [name in WriteName]: Write } = {
  putUser: put("user", "id text, api_key text, record text"),
  putLock: insert("package_lock", "hash text, key text, record text", nothing),
  putText: insert("text", "hash text, data bytea", nothing),
  putComponent: put("component", "id text, user_id text, key text, content_hash text, lock_hash text, record text"),
  putRegistryFile: put("registry_file", "registry text, id text, record text", 2),
  deleteRegistryFile: write(
    "registry text, id text",
    "DELETE FROM @registry_file f USING @rows WHERE f.registry = r.registry AND f.id = r.id",
  ),
  putProject: put("project", "user_id text, name text, record text", 2),
  deleteProject: write(
    "user_id text, name text",
    "DELETE FROM @project p USING @rows WHERE p.user_id = r.user_id AND p.name = r.name",
  ),
  putSource: put("source", "id text, user_id text, name_slug text, component_id text, record text"),
  keepSourcePosition: keepPosition("source"),
  deleteSource: remove("source", "id"),
  addEndpoint: insert("endpoint", "key text, source_id text, prop text"),
  deleteEndpoints: remove("endpoint", "source_id"),
  addTrigger: insert(
    "inbox",
    "id text, source_id text, type text, http_prop text, at float8, crashes int4, hops int4, of_error bool, running bool, emit_id text, bytes int8, origin text, unseen bool, event text, body bytea, received text",
  ),
  startTrigger: { sql: "UPDATE @inbox SET running = true WHERE id = ANY ($1::text[])", columns: 1 },
  seeTrigger: { sql: "UPDATE @inbox SET unseen = false WHERE id = ANY ($1::text[])", columns: 1 },
  removeTrigger: remove("inbox", "id"),
  deleteTriggers: remove("inbox", "source_id"),
  countCrashes: withoutRows("UPDATE @inbox SET crashes = crashes + 1, running = false WHERE running"),
  countCrashesIn: {
    sql: `UPDATE @inbox SET crashes = crashes + 1, running = false WHERE running AND ${inSlots("source_id", 1)}`,
    columns: 1,
  },
  settleTriggers: withoutRows("UPDATE @inbox SET running = false WHERE running"),
  putTransition: put("transition", "source_id text, crashes int4, running bool, record text"),
  deleteTransition: remove("transition", "source_id"),
  countTransitionCrashes: withoutRows("UPDATE @transition SET crashes = crashes + 1, running = false WHERE running"),
  countTransitionCrashesIn: {
    sql: `UPDATE @transition SET crashes = crashes + 1, running = false WHERE running AND ${inSlots("source_id", 1)}`,
    columns: 1,
  },
  settleTriggersIn: {
    sql: `UPDATE @inbox SET running = false WHERE running AND ${inSlots("source_id", 1)}`,
    columns: 1,
  },
  settleTransitionsIn: {
    sql: `UPDATE @transition SET running = false WHERE running AND ${inSlots("source_id", 1)}`,
    columns: 1,
  },
  releaseSlot: write(
    "slot int4, owner text",
    "UPDATE @slot s SET owner = NULL FROM @rows WHERE s.slot = r.slot AND s.owner = r.owner",
  ),
  finishMessage: { sql: "UPDATE @message SET done = true WHERE id = ANY ($1::text[])", columns: 1 },
  settleTransitions: withoutRows("UPDATE @transition SET running = false WHERE running"),
  setValue: put("kv", "source_id text, key text, updated_at float8, value text", 2),
  deleteValue: write(
    "source_id text, key text",
    "DELETE FROM @kv k USING @rows WHERE k.source_id = r.source_id AND k.key = r.key",
  ),
  deleteValues: remove("kv", "source_id"),
  setStored: put("data_store", "user_id text, name text, key text, updated_at float8, value text", 3),
  deleteStored: write(
    "user_id text, name text, key text",
    "DELETE FROM @data_store d USING @rows WHERE d.user_id = r.user_id AND d.name = r.name AND d.key = r.key",
  ),
  deleteDataStore: write(
    "user_id text, name text",
    "DELETE FROM @data_store d USING @rows WHERE d.user_id = r.user_id AND d.name = r.name",
  ),
  setDedupe: put("dedupe", "source_id text, channel text, strategy text, ids text", 2),
  deleteDedupe: remove("dedupe", "source_id"),
  /** The id before the new head must be after the old one: one row for each stream; see `mergeHeads`. */
  moveHead: write(
    "emitter_id text, stream int2, ms int8, seq int8, first_ms int8, first_seq int8",
    `WITH moved AS (
      INSERT INTO @stream_head (emitter_id, stream, ms, seq) SELECT r.emitter_id, r.stream, r.ms, r.seq FROM @rows
        ON CONFLICT (emitter_id, stream) DO UPDATE SET ms = excluded.ms, seq = excluded.seq)
    SELECT @refuse('XR001', format('event id %s-%s of %s is not after its newest', r.first_ms, r.first_seq, r.emitter_id))
      FROM @rows JOIN @stream_head h ON h.emitter_id = r.emitter_id AND h.stream = r.stream
      WHERE (h.ms, h.seq) >= (r.first_ms, r.first_seq)`,
  ),
  deleteHeads: remove("stream_head", "emitter_id"),
  sharePayload: insert("shared_payload", "emit_id text, uses int8, bytes int8, payload text"),
  addEvent: insert(
    "event",
    "emitter_id text, stream int2, ms int8, seq int8, name text, emit_id text, dedupe_id text, summary text, ts float8, bytes int8, shared bool, payload text",
  ),
  deleteEventRange: write(
    "emitter_id text, stream int2, from_ms int8, from_seq int8, to_ms int8, to_seq int8",
    `DELETE FROM @event e USING @rows WHERE e.emitter_id = r.emitter_id AND e.stream = r.stream
      AND (e.ms, e.seq) >= (r.from_ms, r.from_seq) AND (e.ms, e.seq) <= (r.to_ms, r.to_seq)`,
  ),
  deleteEvents: remove("event", "emitter_id"),
  trimEvents: write(
    "emitter_id text, stream int2, keep int8",
    `DELETE FROM @event e USING (
        SELECT r.emitter_id, r.stream, cut.ms, cut.seq FROM @rows CROSS JOIN LATERAL (
          SELECT ms, seq FROM @event WHERE emitter_id = r.emitter_id AND stream = r.stream
            ORDER BY ms DESC, seq DESC OFFSET r.keep LIMIT 1) cut) c
      WHERE e.emitter_id = c.emitter_id AND e.stream = c.stream AND (e.ms, e.seq) <= (c.ms, c.seq)`,
  ),
  addExecution: insert(
    "execution",
    "id text, source_id text, user_id text, status int2, ended_at float8, bytes int8, summary text, detail text",
    `ON CONFLICT (id) DO UPDATE SET position = DEFAULT, source_id = excluded.source_id, user_id = excluded.user_id,
      status = excluded.status, ended_at = excluded.ended_at, bytes = excluded.bytes, summary = excluded.summary,
      detail = excluded.detail`,
    [0],
  ),
  deleteExecutions: remove("execution", "source_id"),
  trimExecutions: write(
    "source_id text, keep int8, keep_failed int8",
    `DELETE FROM @execution e USING (
        SELECT r.source_id, cut.position, coalesce(failed.position, -1) AS failed FROM @rows
          CROSS JOIN LATERAL (SELECT position FROM @execution WHERE source_id = r.source_id
            ORDER BY position DESC OFFSET r.keep LIMIT 1) cut
          LEFT JOIN LATERAL (SELECT position FROM @execution WHERE source_id = r.source_id AND status <> 0
            ORDER BY position DESC OFFSET r.keep_failed LIMIT 1) failed ON true) c
      WHERE e.source_id = c.source_id AND e.position <= c.position AND (e.status = 0 OR e.position <= c.failed)`,
  ),
  /** Keeps the newest whatever its size. */
  trimExecutionBytes: write(
    "source_id text, bytes int8",
    `DELETE FROM @execution e USING (
        SELECT r.source_id, cut.position FROM @rows CROSS JOIN LATERAL (
          SELECT position FROM (
            SELECT position, sum(x.bytes) OVER newest AS total, row_number() OVER newest AS number FROM @execution x
              WHERE x.source_id = r.source_id WINDOW newest AS (ORDER BY position DESC)) sums
            WHERE total > r.bytes AND number > 1 ORDER BY position DESC LIMIT 1) cut) c
      WHERE e.source_id = c.source_id AND e.position <= c.position`,
  ),
  setTimer: put("timer", "source_id text, at float8, last_at float8"),
  deleteTimer: remove("timer", "source_id"),
  addUsage: write(
    "user_id text, day text, share int2, invocations int8, compute_ms float8",
    `INSERT INTO @usage_share AS u (user_id, day, share, invocations, compute_ms)
      SELECT r.user_id, r.day, r.share, sum(r.invocations), sum(r.compute_ms) FROM @rows
        GROUP BY r.user_id, r.day, r.share
      ON CONFLICT (user_id, day, share) DO UPDATE SET invocations = u.invocations + excluded.invocations,
        compute_ms = u.compute_ms + excluded.compute_ms`,
  ),
  addSubscription: insert(
    "subscription",
    "id text, user_id text, emitter_id text, listener_id text, event_name text, created_at float8",
  ),
  deleteSubscription: remove("subscription", "id"),
  deleteSubscriptionsFrom: remove("subscription", "emitter_id"),
  deleteSubscriptionsTo: remove("subscription", "listener_id"),
  addAutoSubscription: insert(
    "auto_subscription",
    "id text, user_id text, event_name text, listener_id text, created_at float8",
  ),
  deleteAutoSubscription: remove("auto_subscription", "id"),
  deleteAutoSubscriptionsTo: remove("auto_subscription", "listener_id"),
  putWebhook: insert(
    "webhook",
    "id text, user_id text, skipped int8, record text",
    "ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, record = excluded.record",
    [0],
  ),
  keepWebhookPosition: keepPosition("webhook"),
  deleteWebhook: remove("webhook", "id"),
  deleteDeliveries: remove("delivery", "webhook_id"),
  skipWebhook: write(
    "id text, count int8",
    `UPDATE @webhook w SET skipped = w.skipped + s.count
      FROM (SELECT r.id, sum(r.count) AS count FROM @rows GROUP BY r.id) s WHERE w.id = s.id`,
  ),
  addDelivery: insert(
    "delivery",
    "id text, webhook_id text, emitter_id text, event_ms int8, event_seq int8, emit_id text, event_name text, ts float8, status text, next_at float8, created_at float8, attempts text, bytes int8, shared bool, trace text, payload text",
  ),
  updateDelivery: write(
    "id text, status text, next_at float8, attempts text",
    `UPDATE @delivery d SET status = r.status, next_at = r.next_at, attempts = r.attempts FROM @rows WHERE d.id = r.id`,
    [0],
  ),
  trimDeliveries: write(
    "webhook_id text, status text, keep int8",
    `DELETE FROM @delivery d USING (
        SELECT r.webhook_id, r.status, cut.position FROM @rows CROSS JOIN LATERAL (
          SELECT position FROM @delivery WHERE webhook_id = r.webhook_id AND status = r.status
            ORDER BY position DESC OFFSET r.keep LIMIT 1) cut) c
      WHERE d.webhook_id = c.webhook_id AND d.status = c.status AND d.position <= c.position`,
  ),
  putAccount: put("account", "id text, user_id text, app text, record text"),
  keepAccountPosition: keepPosition("account"),
  deleteAccount: remove("account", "id"),
  putApp: put("app", "user_id text, slug text, record text", 2),
  deleteApp: write(
    "user_id text, slug text",
    "DELETE FROM @app a USING @rows WHERE a.user_id = r.user_id AND a.slug = r.slug",
  ),
  putAppEndpoint: put("app_endpoint", "user_id text, slug text, key text, record text", 2),
  deleteAppEndpoint: write(
    "user_id text, slug text",
    "DELETE FROM @app_endpoint a USING @rows WHERE a.user_id = r.user_id AND a.slug = r.slug",
  ),
  addAppListener: insert(
    "app_listener",
    "app text, name text, user_id text, source_id text, prop text, account_id text, active bool",
  ),
  deleteAppListeners: remove("app_listener", "source_id"),
  addIdentity: insert("account_identity", "app text, field text, value text, user_id text, account_id text"),
  deleteIdentities: remove("account_identity", "account_id"),
  addAppEvent: insert("app_event", "user_id text, slug text, id text, at float8"),
  trimAppEvents: write(
    "user_id text, slug text, before float8, keep int8",
    `DELETE FROM @app_event e USING (
        SELECT r.user_id, r.slug, r.before, coalesce(cut.position, -1) AS position FROM @rows
          LEFT JOIN LATERAL (SELECT position FROM @app_event WHERE user_id = r.user_id AND slug = r.slug
            ORDER BY position DESC OFFSET r.keep LIMIT 1) cut ON true) c
      WHERE e.user_id = c.user_id AND e.slug = c.slug AND (e.at < c.before OR e.position <= c.position)`,
  ),
  addRequest: insert("request", "owner text, record text"),
  trimRequests: write(
    "owner text, keep int8",
    `DELETE FROM @request q USING (
        SELECT r.owner, cut.position FROM @rows CROSS JOIN LATERAL (
          SELECT position FROM @request WHERE owner = r.owner ORDER BY position DESC OFFSET r.keep LIMIT 1) cut) c
      WHERE q.owner = c.owner AND q.position <= c.position`,
  ),
  deleteRequests: remove("request", "owner"),
  putSealing: put("sealing", "id int2, record text"),
  addSealing: insert("sealing", "id int2, record text"),
};

/** First in each batch: notes its number; refused when the node is dead or has begun another session. */
export const fence: Write = {
  sql: `WITH mine AS (UPDATE @node SET batch = ($1::int8[])[1]
      WHERE id = ($2::text[])[1] AND epoch = ($3::int8[])[1] AND NOT dead RETURNING 1)
    SELECT @refuse('XF001', 'another node has taken over') WHERE NOT EXISTS (SELECT 1 FROM mine)`,
  columns: 3,
};
