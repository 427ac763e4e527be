import type { DatabaseSync } from "node:sqlite";

import { moveTexts } from "./move-texts.ts";

/** Identifies the data files of this program in their header ("xsrc"). */
export const applicationId = 0x78737263;

/** One step to the next schema version. A released step never changes. */
export type Migration = string | ((database: DatabaseSync) => void);

const positionedTables =
  "list_position user component source dedupe event inbox subscription auto_subscription webhook delivery account text";

/** `place` becomes `position`. Renames change only the schema, however many rows there are. */
const renamePlaces = [
  "ALTER TABLE source_place RENAME TO list_position",
  ...positionedTables.split(" ").map((table) => `ALTER TABLE ${table} RENAME COLUMN place TO position`),
].join("; ");

/**
 * The layout of each table follows its reads. Tables with small rows are WITHOUT ROWID, so that one source's rows are
 * adjacent. `place`, later `position`, is the order of insertion, the stable order of lists. Times are REAL, because a
 * clock may have fractions of a millisecond.
 */
export const migrations: readonly Migration[] = [
  `
  CREATE TABLE user (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, api_key TEXT NOT NULL UNIQUE, record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE component (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, key TEXT,
    content_hash TEXT NOT NULL, record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX component_key ON component (user_id, key);
  CREATE INDEX component_content ON component (user_id, content_hash);

  CREATE TABLE source (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL,
    name_slug TEXT NOT NULL, record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX source_user ON source (user_id);
  CREATE INDEX source_slug ON source (user_id, name_slug);
  -- Where deleted sources stood, for cursors that name them.
  CREATE TABLE source_place (id TEXT PRIMARY KEY, place INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE endpoint (key TEXT PRIMARY KEY, source_id TEXT NOT NULL, prop TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX endpoint_source ON endpoint (source_id);

  CREATE TABLE kv (
    source_id TEXT NOT NULL, key TEXT NOT NULL, updated_at REAL NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (source_id, key)
  ) STRICT, WITHOUT ROWID;

  -- With a rowid: a window of a hundred ids would not fit into a leaf of a clustered table.
  CREATE TABLE dedupe (
    place INTEGER PRIMARY KEY, source_id TEXT NOT NULL, channel TEXT NOT NULL, strategy TEXT NOT NULL,
    ids TEXT NOT NULL, UNIQUE (source_id, channel)
  ) STRICT;

  CREATE TABLE stream_head (
    emitter_id TEXT NOT NULL, stream INTEGER NOT NULL, ms INTEGER NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (emitter_id, stream)
  ) STRICT, WITHOUT ROWID;

  -- Rows are appended, only the small index is spread over emitters: half the pages per commit of a clustered table.
  CREATE TABLE event (
    place INTEGER PRIMARY KEY, emitter_id TEXT NOT NULL, stream INTEGER NOT NULL, ms INTEGER NOT NULL,
    seq INTEGER NOT NULL, name TEXT NOT NULL, emit_id TEXT NOT NULL, dedupe_id TEXT, summary TEXT, ts REAL,
    payload TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX event_id ON event (emitter_id, stream, ms, seq);

  CREATE TABLE inbox (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source_id TEXT NOT NULL, type TEXT NOT NULL,
    http_prop TEXT, at REAL NOT NULL, crashes INTEGER NOT NULL, hops INTEGER NOT NULL, running INTEGER NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX inbox_source ON inbox (source_id);

  CREATE TABLE timer (source_id TEXT PRIMARY KEY, at REAL NOT NULL, last_at REAL NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE usage (
    user_id TEXT NOT NULL, day TEXT NOT NULL, invocations INTEGER NOT NULL, compute_ms REAL NOT NULL,
    PRIMARY KEY (user_id, day)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE subscription (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, emitter_id TEXT NOT NULL,
    listener_id TEXT NOT NULL, event_name TEXT NOT NULL, created_at REAL NOT NULL,
    UNIQUE (user_id, emitter_id, listener_id, event_name)
  ) STRICT;
  CREATE INDEX subscription_emitter ON subscription (emitter_id);
  CREATE INDEX subscription_listener ON subscription (listener_id);

  CREATE TABLE auto_subscription (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, event_name TEXT NOT NULL,
    listener_id TEXT NOT NULL, created_at REAL NOT NULL, UNIQUE (user_id, listener_id, event_name)
  ) STRICT;

  -- Deleted webhooks leave their place in source_place, as sources do.
  CREATE TABLE webhook (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL,
    skipped INTEGER NOT NULL, record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX webhook_user ON webhook (user_id);

  CREATE TABLE delivery (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, webhook_id TEXT NOT NULL, emitter_id TEXT NOT NULL,
    event_ms INTEGER NOT NULL, event_seq INTEGER NOT NULL, emit_id TEXT NOT NULL, event_name TEXT NOT NULL, ts REAL,
    status TEXT NOT NULL, next_at REAL, created_at REAL NOT NULL, attempts TEXT NOT NULL, payload TEXT NOT NULL
  ) STRICT;
  CREATE INDEX delivery_webhook ON delivery (webhook_id);
  CREATE INDEX delivery_due ON delivery (webhook_id, emitter_id, next_at) WHERE status = 'pending';

  ALTER TABLE inbox ADD COLUMN of_error INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Deleted accounts leave their place in source_place, as sources do.
  CREATE TABLE account (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, app TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX account_user ON account (user_id, app);

  -- At most one row: how secrets are encrypted.
  CREATE TABLE sealing (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT;
  `,
  `
  -- Sources and workflows are listed apart.
  CREATE INDEX source_kind ON source (user_id, substr(id, 1, 2));
  `,
  `
  -- Whose the place was; nobody's of those that were deleted before.
  ALTER TABLE source_place ADD COLUMN user_id TEXT NOT NULL DEFAULT '';
  `,
  `
  -- A payload that several rows have: of an event, and of the triggers and deliveries that it leads to.
  CREATE TABLE shared_payload (emit_id TEXT PRIMARY KEY, uses INTEGER NOT NULL, payload TEXT NOT NULL) STRICT;
  ALTER TABLE event ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE delivery ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
  -- Of a trigger whose event is a shared payload.
  ALTER TABLE inbox ADD COLUMN emit_id TEXT;
  -- Of a request, as it was received.
  ALTER TABLE inbox ADD COLUMN body BLOB;
  ALTER TABLE inbox ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE inbox SET bytes = octet_length(event);

  CREATE TRIGGER event_payload AFTER DELETE ON event WHEN OLD.shared = 1 BEGIN
    UPDATE shared_payload SET uses = uses - 1 WHERE emit_id = OLD.emit_id;
    DELETE FROM shared_payload WHERE emit_id = OLD.emit_id AND uses = 0;
  END;
  CREATE TRIGGER delivery_payload AFTER DELETE ON delivery WHEN OLD.shared = 1 BEGIN
    UPDATE shared_payload SET uses = uses - 1 WHERE emit_id = OLD.emit_id;
    DELETE FROM shared_payload WHERE emit_id = OLD.emit_id AND uses = 0;
  END;
  CREATE TRIGGER inbox_payload AFTER DELETE ON inbox WHEN OLD.emit_id IS NOT NULL BEGIN
    UPDATE shared_payload SET uses = uses - 1 WHERE emit_id = OLD.emit_id;
    DELETE FROM shared_payload WHERE emit_id = OLD.emit_id AND uses = 0;
  END;
  `,
  moveTexts,
  `
  -- Changes of sources whose hooks have begun.
  CREATE TABLE transition (
    source_id TEXT PRIMARY KEY, crashes INTEGER NOT NULL, running INTEGER NOT NULL, record TEXT NOT NULL
  ) STRICT;
  `,
  renamePlaces,
  `
  -- One row for each execution. The columns before the texts are those that lists and trims read; both indexes contain
  -- them, so that neither reads rows that it does not return.
  CREATE TABLE execution (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source_id TEXT NOT NULL, user_id TEXT NOT NULL,
    status INTEGER NOT NULL, ended_at REAL NOT NULL, bytes INTEGER NOT NULL, summary TEXT NOT NULL, detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX execution_source ON execution (source_id, position, status, ended_at, bytes);
  CREATE INDEX execution_user ON execution (user_id, position, status, ended_at);

  -- JSON text: what led to the trigger.
  ALTER TABLE inbox ADD COLUMN origin TEXT;
  `,
  `
  -- The span that emitted the event, as a W3C traceparent.
  ALTER TABLE delivery ADD COLUMN trace TEXT;
  `,
  `
  -- JSON text: the head of a request as it was received.
  ALTER TABLE inbox ADD COLUMN received TEXT;
  `,
  `
  -- Dead letters are listed apart; few deliveries become one.
  CREATE INDEX delivery_dead ON delivery (webhook_id) WHERE status = 'dead';
  `,
  `
  -- What each project of a user has made.
  CREATE TABLE project (
    user_id TEXT, name TEXT, record TEXT NOT NULL, PRIMARY KEY (user_id, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- How accounts of an app are connected.
  CREATE TABLE app (
    user_id TEXT NOT NULL, slug TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (user_id, slug)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The one URL that the service of an app calls.
  CREATE TABLE app_endpoint (
    user_id TEXT NOT NULL, slug TEXT NOT NULL, key TEXT NOT NULL UNIQUE, record TEXT NOT NULL, PRIMARY KEY (user_id, slug)
  ) STRICT, WITHOUT ROWID;

  -- Who listens to which events of apps; an empty name stands for every event.
  CREATE TABLE app_listener (
    app TEXT NOT NULL, name TEXT NOT NULL, user_id TEXT NOT NULL, source_id TEXT NOT NULL, prop TEXT NOT NULL,
    account_id TEXT NOT NULL, active INTEGER NOT NULL, PRIMARY KEY (app, name, user_id, source_id, prop)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX app_listener_source ON app_listener (source_id);

  -- What accounts are addressed by: digests of fields of their credentials.
  CREATE TABLE account_identity (
    app TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, user_id TEXT NOT NULL, account_id TEXT NOT NULL,
    PRIMARY KEY (app, field, value, account_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX account_identity_account ON account_identity (account_id);

  -- Ids of events that apps have sent.
  CREATE TABLE app_event (
    position INTEGER PRIMARY KEY, user_id TEXT NOT NULL, slug TEXT NOT NULL, id TEXT NOT NULL, at REAL NOT NULL,
    UNIQUE (user_id, slug, id)
  ) STRICT;
  CREATE INDEX app_event_position ON app_event (user_id, slug, position);

  -- How the last requests to an endpoint ended.
  CREATE TABLE request (position INTEGER PRIMARY KEY, owner TEXT NOT NULL, record TEXT NOT NULL) STRICT;
  CREATE INDEX request_owner ON request (owner, position);
  `,
  `
  -- Values that the sources of a user share.
  CREATE TABLE data_store (
    user_id TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, updated_at REAL NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (user_id, name, key)
  ) STRICT, WITHOUT ROWID;
  `,
];

/** Returns the schema version of the file; 0 without a schema. */
export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

/** Updates the file to the newest version, each step in its own transaction. */
export function migrate(database: DatabaseSync, steps: readonly Migration[] = migrations): void {
  for (let version = schemaVersion(database); version < steps.length; version += 1) {
    database.exec("BEGIN IMMEDIATE");
    try {
      const step = steps[version] ?? "";
      if (typeof step === "string") database.exec(step);
      else step(database);
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}; COMMIT`);
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }
}
