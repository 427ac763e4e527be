/**
 * The statements of the writer, by name. Work refers to them by number. Of changes they take the values of `RowList`; those
 * that have no column here, because SQLite finds them in others, are not mentioned.
 */
export const writes = {
  putUser: `INSERT INTO user (id, api_key, record) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET api_key = excluded.api_key, record = excluded.record`,
  putLock: "INSERT OR IGNORE INTO package_lock (hash, key, record) VALUES (?, ?, ?)",
  /** The writer compresses the text first; see `packed-text.ts`. */
  putText: "INSERT OR IGNORE INTO text (hash, family, data) VALUES (?, ?, ?)",
  putComponent: `INSERT INTO component (id, user_id, key, content_hash, lock_hash, record) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, key = excluded.key,
      content_hash = excluded.content_hash, lock_hash = excluded.lock_hash, record = excluded.record`,
  putRegistryFile: "REPLACE INTO registry_file (registry, id, record) VALUES (?, ?, ?)",
  deleteRegistryFile: "DELETE FROM registry_file WHERE registry = ? AND id = ?",
  putProject: "REPLACE INTO project (user_id, name, record) VALUES (?, ?, ?)",
  deleteProject: "DELETE FROM project WHERE user_id = ? AND name = ?",
  putSource: `INSERT INTO source (id, user_id, name_slug, record) VALUES (?1, ?2, ?3, ?5)
    ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, name_slug = excluded.name_slug,
      record = excluded.record`,
  keepSourcePosition: "INSERT OR REPLACE INTO list_position SELECT id, position, user_id FROM source WHERE id = ?",
  deleteSource: "DELETE FROM source WHERE id = ?",
  addEndpoint: "INSERT INTO endpoint (key, source_id, prop) VALUES (?, ?, ?)",
  deleteEndpoints: "DELETE FROM endpoint WHERE source_id = ?",
  addTrigger: `INSERT INTO inbox (id, source_id, type, http_prop, at, crashes, hops, of_error, running, emit_id, bytes,
    origin, event, body, received) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?14, ?15, ?16)`,
  startTrigger: "UPDATE inbox SET running = 1 WHERE id = ?",
  removeTrigger: "DELETE FROM inbox WHERE id = ?",
  deleteTriggers: "DELETE FROM inbox WHERE position IN (SELECT position FROM inbox WHERE source_id = ? LIMIT 1000)",
  countCrashes: "UPDATE inbox SET crashes = crashes + 1, running = 0 WHERE running = 1",
  countCrashesOf: "UPDATE inbox SET crashes = crashes + 1, running = 0 WHERE running = 1 AND source_id = ?",
  settleTriggers: "UPDATE inbox SET running = 0 WHERE running = 1",
  putTransition: "REPLACE INTO transition (source_id, crashes, running, record) VALUES (?, ?, ?, ?)",
  deleteTransition: "DELETE FROM transition WHERE source_id = ?",
  countTransitionCrashes: "UPDATE transition SET crashes = crashes + 1, running = 0 WHERE running = 1",
  countTransitionCrashesOf:
    "UPDATE transition SET crashes = crashes + 1, running = 0 WHERE running = 1 AND source_id = ?",
  settleTransitions: "UPDATE transition SET running = 0 WHERE running = 1",
  setValue: "REPLACE INTO kv (source_id, key, updated_at, value) VALUES (?, ?, ?, ?)",
  deleteValue: "DELETE FROM kv WHERE source_id = ? AND key = ?",
  deleteValues: "DELETE FROM kv WHERE source_id = ?1 AND key IN (SELECT key FROM kv WHERE source_id = ?1 LIMIT 1000)",
  setStored: "REPLACE INTO data_store (user_id, name, key, updated_at, value) VALUES (?, ?, ?, ?, ?)",
  deleteStored: "DELETE FROM data_store WHERE user_id = ? AND name = ? AND key = ?",
  deleteDataStore: `DELETE FROM data_store WHERE user_id = ?1 AND name = ?2
    AND key IN (SELECT key FROM data_store WHERE user_id = ?1 AND name = ?2 LIMIT 1000)`,
  setDedupe: `INSERT INTO dedupe (source_id, channel, strategy, ids) VALUES (?, ?, ?, ?)
    ON CONFLICT (source_id, channel) DO UPDATE SET strategy = excluded.strategy, ids = excluded.ids`,
  deleteDedupe: "DELETE FROM dedupe WHERE position IN (SELECT position FROM dedupe WHERE source_id = ? LIMIT 1000)",
  /** The id before the new head must be after the old one: emitter, stream, new ms, new seq, first ms, first seq. */
  moveHead: `INSERT INTO stream_head (emitter_id, stream, ms, seq) VALUES (?, ?, ?, ?)
    ON CONFLICT (emitter_id, stream) DO UPDATE SET ms = excluded.ms, seq = excluded.seq WHERE (?, ?) > (ms, seq)`,
  deleteHeads: "DELETE FROM stream_head WHERE emitter_id = ?",
  /** Emit id, number of rows in this commit that use it, size, payload. */
  sharePayload: "INSERT INTO shared_payload (emit_id, uses, payload) VALUES (?1, ?2, ?4)",
  addEvent: `INSERT INTO event (emitter_id, stream, ms, seq, name, emit_id, dedupe_id, summary, ts, shared, payload)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?11, ?12)`,
  /** Inclusive: emitter, stream, from ms, from seq, to ms, to seq. */
  deleteEventRange: `DELETE FROM event WHERE emitter_id = ? AND stream = ?
    AND (ms, seq) >= (?, ?) AND (ms, seq) <= (?, ?)`,
  deleteEvents: "DELETE FROM event WHERE position IN (SELECT position FROM event WHERE emitter_id = ? LIMIT 1000)",
  /** Emitter, stream, number of events to keep. */
  trimEvents: `DELETE FROM event WHERE emitter_id = ?1 AND stream = ?2 AND (ms, seq) <= (
      SELECT ms, seq FROM event WHERE emitter_id = ?1 AND stream = ?2 ORDER BY ms DESC, seq DESC LIMIT 1 OFFSET ?3)`,
  addExecution: `REPLACE INTO execution (id, source_id, user_id, status, ended_at, bytes, summary, detail)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  deleteExecutions:
    "DELETE FROM execution WHERE position IN (SELECT position FROM execution WHERE source_id = ? LIMIT 1000)",
  /** Source, number of executions to keep, number of failed ones to keep. */
  trimExecutions: `DELETE FROM execution WHERE source_id = ?1
    AND position <= (SELECT position FROM execution WHERE source_id = ?1 ORDER BY position DESC LIMIT 1 OFFSET ?2)
    AND (status = 0 OR position <= (
      SELECT position FROM execution WHERE source_id = ?1 AND status <> 0 ORDER BY position DESC LIMIT 1 OFFSET ?3))`,
  /** Source, bytes to keep. Keeps the newest whatever its size. */
  trimExecutionBytes: `DELETE FROM execution WHERE source_id = ?1 AND position <= (
      SELECT position FROM (
        SELECT position, sum(bytes) OVER newest AS total, row_number() OVER newest AS number FROM execution
          WHERE source_id = ?1 WINDOW newest AS (ORDER BY position DESC))
        WHERE total > ?2 AND number > 1 ORDER BY position DESC LIMIT 1)`,
  setTimer: "REPLACE INTO timer (source_id, at, last_at) VALUES (?, ?, ?)",
  deleteTimer: "DELETE FROM timer WHERE source_id = ?",
  addUsage: `INSERT INTO usage (user_id, day, invocations, compute_ms) VALUES (?1, ?2, ?4, ?5)
    ON CONFLICT (user_id, day) DO UPDATE SET invocations = invocations + excluded.invocations,
      compute_ms = compute_ms + excluded.compute_ms`,
  addSubscription: `INSERT INTO subscription (id, user_id, emitter_id, listener_id, event_name, created_at)
    VALUES (?, ?, ?, ?, ?, ?)`,
  deleteSubscription: "DELETE FROM subscription WHERE id = ?",
  deleteSubscriptionsFrom: "DELETE FROM subscription WHERE emitter_id = ?",
  deleteSubscriptionsTo: "DELETE FROM subscription WHERE listener_id = ?",
  addAutoSubscription: `INSERT INTO auto_subscription (id, user_id, event_name, listener_id, created_at)
    VALUES (?, ?, ?, ?, ?)`,
  deleteAutoSubscription: "DELETE FROM auto_subscription WHERE id = ?",
  deleteAutoSubscriptionsTo: "DELETE FROM auto_subscription WHERE listener_id = ?",
  putWebhook: `INSERT INTO webhook (id, user_id, skipped, record) VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, record = excluded.record`,
  keepWebhookPosition: "INSERT OR REPLACE INTO list_position SELECT id, position, user_id FROM webhook WHERE id = ?",
  deleteWebhook: "DELETE FROM webhook WHERE id = ?",
  deleteDeliveries:
    "DELETE FROM delivery WHERE position IN (SELECT position FROM delivery WHERE webhook_id = ? LIMIT 1000)",
  skipWebhook: "UPDATE webhook SET skipped = skipped + ?2 WHERE id = ?1",
  addDelivery: `INSERT INTO delivery (id, webhook_id, emitter_id, event_ms, event_seq, emit_id, event_name, ts, status,
    next_at, created_at, attempts, shared, trace, payload)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?14, ?15, ?16)`,
  updateDelivery: "UPDATE delivery SET status = ?2, next_at = ?3, attempts = ?4 WHERE id = ?1",
  putAccount: `INSERT INTO account (id, user_id, app, record) VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, app = excluded.app, record = excluded.record`,
  keepAccountPosition: "INSERT OR REPLACE INTO list_position SELECT id, position, user_id FROM account WHERE id = ?",
  deleteAccount: "DELETE FROM account WHERE id = ?",
  putApp: "REPLACE INTO app (user_id, slug, record) VALUES (?, ?, ?)",
  deleteApp: "DELETE FROM app WHERE user_id = ? AND slug = ?",
  putAppEndpoint: "REPLACE INTO app_endpoint (user_id, slug, key, record) VALUES (?, ?, ?, ?)",
  deleteAppEndpoint: "DELETE FROM app_endpoint WHERE user_id = ? AND slug = ?",
  addAppListener: `INSERT INTO app_listener (app, name, user_id, source_id, prop, account_id, active)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  deleteAppListeners: "DELETE FROM app_listener WHERE source_id = ?",
  addIdentity: "INSERT INTO account_identity (app, field, value, user_id, account_id) VALUES (?, ?, ?, ?, ?)",
  deleteIdentities: "DELETE FROM account_identity WHERE account_id = ?",
  addAppEvent: "INSERT INTO app_event (user_id, slug, id, at) VALUES (?, ?, ?, ?)",
  /** User, app, time, number of ids to keep. Older ids stand before newer ones. */
  trimAppEvents: `DELETE FROM app_event WHERE user_id = ?1 AND slug = ?2 AND position <= max(
      coalesce((SELECT position FROM app_event WHERE user_id = ?1 AND slug = ?2
        ORDER BY position DESC LIMIT 1 OFFSET ?4), 0),
      coalesce((SELECT position - 1 FROM app_event WHERE user_id = ?1 AND slug = ?2 AND at >= ?3
        ORDER BY position LIMIT 1), (SELECT max(position) FROM app_event), 0))`,
  addRequest: "INSERT INTO request (owner, record) VALUES (?, ?)",
  /** Owner, number of requests to keep. */
  trimRequests: `DELETE FROM request WHERE owner = ?1 AND position <= (
      SELECT position FROM request WHERE owner = ?1 ORDER BY position DESC LIMIT 1 OFFSET ?2)`,
  deleteRequests: "DELETE FROM request WHERE owner = ?",
  putSealing: "REPLACE INTO sealing (id, record) VALUES (?, ?)",
  addSealing: "INSERT INTO sealing (id, record) VALUES (?, ?)",
  /** Webhook, status, number of deliveries to keep. */
  trimDeliveries: `DELETE FROM delivery WHERE webhook_id = ?1 AND status = ?2 AND position <= (
      SELECT position FROM delivery WHERE webhook_id = ?1 AND status = ?2 ORDER BY position DESC LIMIT 1 OFFSET ?3)`,
} as const;

export type WriteName = keyof typeof writes;

/** Selects the payload of a row, also one that several rows share. */
export const payloadOf = (table: "event" | "delivery"): string =>
  `CASE ${table}.shared WHEN 0 THEN ${table}.payload
    ELSE (SELECT payload FROM shared_payload WHERE shared_payload.emit_id = ${table}.emit_id) END AS payload`;

/** Names in the order of the numbers. */
export const writeNames: readonly WriteName[] = Object.keys(writes) as WriteName[];

/** The number of each write. */
export const writeNumbers: { readonly [name in WriteName]: number } = Object.fromEntries(
  writeNames.map((name, index) => [name, index]),
) as { [name in WriteName]: number };

/**
 * The writes that delete some rows, and are repeated until none is left. SQLite keeps every page that a statement changes in
 * memory until it ends: hundreds of megabytes for all triggers of a source.
 */
export const repeatedWrites: ReadonlySet<WriteName> = new Set<WriteName>([
  "deleteTriggers",
  "deleteValues",
  "deleteDataStore",
  "deleteDedupe",
  "deleteEvents",
  "deleteExecutions",
  "deleteDeliveries",
]);

/** Counts the values that a write takes. */
export const countValues = (sql: string): number =>
  Math.max(0, ...[...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number))) || sql.split("?").length - 1;

/** One commit: the number of a write, its values, the next number, and so on. Flat, so that it clones fast. */
export type Work = (string | number | null | Uint8Array)[];
