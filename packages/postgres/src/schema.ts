/**
 * One step to the next schema version. A released step never changes. `@name` is a table of the schema; `id` a text that
 * compares by bytes. Times are float8, because a clock may have fractions of a millisecond. `position` is the order of
 * insertion, the stable order of lists. JSON is text: it is returned as it was written.
 */
export const migrations: readonly string[] = [
  `
  -- One row. A commit names the epoch of its service, and is refused after another one has taken over; \`batch\` is the last
  -- batch of that epoch, which tells a service that lost its connection whether the batch on its way was committed.
  CREATE TABLE @service (
    id int2 PRIMARY KEY CHECK (id = 1), owner text NOT NULL, epoch int8 NOT NULL, batch int8 NOT NULL
  ) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
  INSERT INTO @service VALUES (1, '', 0, 0);

  CREATE FUNCTION @refuse(state text, problem text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '%', problem USING ERRCODE = state; END $$;

  CREATE TABLE @user (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, api_key ID NOT NULL UNIQUE, record text NOT NULL
  );

  CREATE TABLE @text (hash ID PRIMARY KEY, data bytea NOT NULL);
  ALTER TABLE @text ALTER COLUMN data SET STORAGE EXTERNAL;
  CREATE TABLE @package_lock (hash ID PRIMARY KEY, key ID NOT NULL, record text NOT NULL);
  CREATE TABLE @component (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, user_id ID NOT NULL, key ID,
    content_hash ID NOT NULL, lock_hash ID, record text NOT NULL
  );
  CREATE INDEX ON @component (user_id, key, position);
  CREATE INDEX ON @component (user_id, content_hash, position);
  CREATE TABLE @registry_file (registry ID, id ID, record text NOT NULL, PRIMARY KEY (registry, id));

  CREATE TABLE @source (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, user_id ID NOT NULL, name_slug ID NOT NULL,
    component_id ID NOT NULL, record text NOT NULL
  );
  CREATE INDEX ON @source (user_id, position);
  CREATE INDEX ON @source (user_id, substr(id, 1, 2), position);
  CREATE INDEX ON @source (user_id, name_slug);
  CREATE TABLE @endpoint (key ID PRIMARY KEY, source_id ID NOT NULL, prop text NOT NULL);
  CREATE INDEX ON @endpoint (source_id);
  -- Where deleted sources, webhooks and accounts stood, for cursors that name them.
  CREATE TABLE @list_position (id ID PRIMARY KEY, position int8 NOT NULL, user_id ID NOT NULL);
  CREATE TABLE @transition (source_id ID PRIMARY KEY, crashes int4 NOT NULL, running bool NOT NULL, record text NOT NULL);

  CREATE TABLE @account (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, user_id ID NOT NULL, app ID NOT NULL,
    record text NOT NULL
  );
  CREATE INDEX ON @account (user_id, app, position);
  CREATE TABLE @sealing (id int2 PRIMARY KEY CHECK (id = 1), record text NOT NULL);

  CREATE TABLE @subscription (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, user_id ID NOT NULL, emitter_id ID NOT NULL,
    listener_id ID NOT NULL, event_name ID NOT NULL, created_at float8 NOT NULL,
    UNIQUE (user_id, emitter_id, listener_id, event_name)
  );
  CREATE INDEX ON @subscription (emitter_id);
  CREATE INDEX ON @subscription (listener_id);
  CREATE TABLE @auto_subscription (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, user_id ID NOT NULL, event_name ID NOT NULL,
    listener_id ID NOT NULL, created_at float8 NOT NULL, UNIQUE (user_id, listener_id, event_name)
  );
  CREATE INDEX ON @auto_subscription (listener_id);
  CREATE TABLE @webhook (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, user_id ID NOT NULL, skipped int8 NOT NULL,
    record text NOT NULL
  );
  CREATE INDEX ON @webhook (user_id, position);

  -- The tables below change with every run. Pages with free space take the new version of a row beside the old one, and
  -- vacuum begins after a share of the rows that is small whatever the size of the table.
  CREATE TABLE @kv (
    source_id ID, key ID, updated_at float8 NOT NULL, value text NOT NULL, PRIMARY KEY (source_id, key)
  ) WITH (fillfactor = 70, CHURN);
  CREATE TABLE @dedupe (
    source_id ID, channel ID, strategy text NOT NULL, ids text NOT NULL, PRIMARY KEY (source_id, channel)
  ) WITH (fillfactor = 50, CHURN);
  CREATE TABLE @stream_head (
    emitter_id ID, stream int2, ms int8 NOT NULL, seq int8 NOT NULL, PRIMARY KEY (emitter_id, stream)
  ) WITH (fillfactor = 50, CHURN);
  CREATE TABLE @timer (source_id ID PRIMARY KEY, at float8 NOT NULL, last_at float8 NOT NULL)
    WITH (fillfactor = 50, CHURN);
  CREATE TABLE @usage (
    user_id ID, day ID, invocations int8 NOT NULL, compute_ms float8 NOT NULL, PRIMARY KEY (user_id, day)
  ) WITH (fillfactor = 50, CHURN);

  -- A payload that several rows have: of an event, and of the triggers and deliveries that it leads to.
  CREATE TABLE @shared_payload (emit_id ID PRIMARY KEY, uses int8 NOT NULL, bytes int8 NOT NULL, payload text NOT NULL)
    WITH (fillfactor = 70, CHURN);
  CREATE TABLE @event (
    emitter_id ID, stream int2, ms int8, seq int8, name ID NOT NULL, emit_id ID NOT NULL, dedupe_id text, summary text,
    ts float8, bytes int8 NOT NULL, shared bool NOT NULL, payload text NOT NULL,
    PRIMARY KEY (emitter_id, stream, ms, seq)
  ) WITH (CHURN);
  CREATE TABLE @inbox (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, source_id ID NOT NULL, type text NOT NULL,
    http_prop text, at float8 NOT NULL, crashes int4 NOT NULL, hops int4 NOT NULL, of_error bool NOT NULL,
    running bool NOT NULL, emit_id ID, bytes int8 NOT NULL, origin text, event text NOT NULL, body bytea
  ) WITH (fillfactor = 60, CHURN);
  CREATE INDEX ON @inbox (source_id);
  CREATE TABLE @delivery (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, webhook_id ID NOT NULL, emitter_id ID NOT NULL,
    event_ms int8 NOT NULL, event_seq int8 NOT NULL, emit_id ID NOT NULL, event_name text NOT NULL, ts float8,
    status ID NOT NULL, next_at float8, created_at float8 NOT NULL, attempts text NOT NULL, bytes int8 NOT NULL,
    shared bool NOT NULL, trace text, payload text NOT NULL
  ) WITH (fillfactor = 70, CHURN);
  CREATE INDEX ON @delivery (webhook_id, status, position);
  CREATE INDEX ON @delivery (webhook_id, emitter_id, next_at, position) WHERE status = 'pending';
  CREATE INDEX ON @delivery (position) WHERE status = 'pending';
  -- The columns before the texts are those that lists and trims read; the indexes contain them.
  CREATE TABLE @execution (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, source_id ID NOT NULL, user_id ID NOT NULL,
    status int2 NOT NULL, ended_at float8 NOT NULL, bytes int8 NOT NULL, summary text NOT NULL, detail text NOT NULL
  ) WITH (CHURN);
  CREATE INDEX ON @execution (source_id, position) INCLUDE (status, ended_at, bytes);
  CREATE INDEX ON @execution (user_id, position) INCLUDE (status, ended_at);

  CREATE FUNCTION @release_payload() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE @shared_payload SET uses = uses - 1 WHERE emit_id = OLD.emit_id;
    DELETE FROM @shared_payload WHERE emit_id = OLD.emit_id AND uses = 0;
    RETURN NULL;
  END $$;
  CREATE TRIGGER release_payload AFTER DELETE ON @event FOR EACH ROW WHEN (OLD.shared) EXECUTE FUNCTION @release_payload();
  CREATE TRIGGER release_payload AFTER DELETE ON @delivery FOR EACH ROW WHEN (OLD.shared) EXECUTE FUNCTION @release_payload();
  CREATE TRIGGER release_payload AFTER DELETE ON @inbox FOR EACH ROW WHEN (OLD.emit_id IS NOT NULL)
    EXECUTE FUNCTION @release_payload();
  `,
  `
  -- JSON text: the head of a request as it was received.
  ALTER TABLE @inbox ADD COLUMN received text;
  `,
  `
  -- A commit names its node and the node's session (\`epoch\`), and is refused after the node was marked dead; \`batch\` is the last
  -- batch of the node, which tells it after a lost connection whether the batch on its way was committed. Its row changes
  -- with every batch, so the heartbeat has a table of its own.
  DROP TABLE @service;
  CREATE TABLE @node (
    id ID PRIMARY KEY, since float8 NOT NULL, lock_key int8 NOT NULL, epoch int8 NOT NULL, batch int8 NOT NULL,
    dead bool NOT NULL, joined bool NOT NULL, leaving bool NOT NULL, backends text[] NOT NULL
  ) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
  CREATE TABLE @beat (node ID PRIMARY KEY, at timestamptz NOT NULL, queue_depth int8 NOT NULL)
    WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

  -- The sources of a slot belong to its owner; \`target\` is the node that shall own it. The function is \`slotOf\` in SQL.
  CREATE FUNCTION @slot_of(id text) RETURNS int4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT ('x' || substr(md5(id), 1, 3))::bit(12)::int4 >> 2 $$;
  CREATE TABLE @slot (slot int4 PRIMARY KEY, owner ID, target ID) WITH (fillfactor = 50);
  INSERT INTO @slot SELECT n, NULL, NULL FROM generate_series(0, 1023) AS n;

  -- What nodes ask, tell and answer. \`call\` is the id of the question that an answer belongs to.
  CREATE TABLE @message (
    position int8 GENERATED ALWAYS AS IDENTITY, id ID PRIMARY KEY, call ID NOT NULL, type ID NOT NULL, kind ID NOT NULL,
    from_node ID NOT NULL, to_node ID, to_slot int4, taken ID, done bool NOT NULL, body bytea NOT NULL
  ) WITH (fillfactor = 50, CHURN);
  CREATE INDEX ON @message (call);
  CREATE INDEX ON @message (to_node, position);
  CREATE INDEX ON @message (to_slot, position);

  -- Triggers that the owner of their source has not seen yet, because another node stored them.
  ALTER TABLE @inbox ADD COLUMN unseen bool NOT NULL DEFAULT false;
  CREATE INDEX ON @inbox (position) WHERE unseen;

  -- Two nodes that give out the same slug at once: the second one is refused.
  DO $do$ BEGIN
    CREATE UNIQUE INDEX source_slug ON @source (user_id, name_slug);
  EXCEPTION WHEN unique_violation THEN NULL;
  END $do$;
  `,
  `
  -- What each project of a user has made.
  CREATE TABLE @project (user_id ID, name ID, record text NOT NULL, PRIMARY KEY (user_id, name));
  `,
  `
  -- How accounts of an app are connected.
  CREATE TABLE @app (user_id ID, slug ID, record text NOT NULL, PRIMARY KEY (user_id, slug));
  `,
  `
  -- A node counts in rows of its own: commits of several nodes that add to one row would wait for each other's disk.
  CREATE TABLE @usage_share (
    user_id ID, day ID, share int2, invocations int8 NOT NULL, compute_ms float8 NOT NULL, PRIMARY KEY (user_id, day, share)
  ) WITH (fillfactor = 50, CHURN);
  INSERT INTO @usage_share SELECT user_id, day, 0, invocations, compute_ms FROM @usage;
  DROP TABLE @usage;
  CREATE VIEW @usage AS SELECT user_id, day, sum(invocations)::int8 AS invocations, sum(compute_ms) AS compute_ms
    FROM @usage_share GROUP BY user_id, day;
  CREATE FUNCTION @add_usage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO @usage_share VALUES (NEW.user_id, NEW.day, 0, NEW.invocations, NEW.compute_ms);
    RETURN NEW;
  END $$;
  CREATE TRIGGER add_usage INSTEAD OF INSERT ON @usage FOR EACH ROW EXECUTE FUNCTION @add_usage();
  `,
  `
  -- The one URL that the service of an app calls.
  CREATE TABLE @app_endpoint (
    user_id ID, slug ID, key ID NOT NULL UNIQUE, record text NOT NULL, PRIMARY KEY (user_id, slug)
  );
  -- Who listens to which events of apps; an empty name stands for every event.
  CREATE TABLE @app_listener (
    app ID, name ID, user_id ID, source_id ID, prop ID, account_id ID NOT NULL, active bool NOT NULL,
    PRIMARY KEY (app, name, user_id, source_id, prop)
  );
  CREATE INDEX ON @app_listener (source_id);
  -- What accounts are addressed by: digests of fields of their credentials.
  CREATE TABLE @account_identity (
    app ID, field ID, value ID, user_id ID NOT NULL, account_id ID, PRIMARY KEY (app, field, value, account_id)
  );
  CREATE INDEX ON @account_identity (account_id);
  -- Ids of events that apps have sent.
  CREATE TABLE @app_event (
    position int8 GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, user_id ID NOT NULL, slug ID NOT NULL, id ID NOT NULL,
    at float8 NOT NULL, UNIQUE (user_id, slug, id)
  ) WITH (CHURN);
  CREATE INDEX ON @app_event (user_id, slug, position);
  -- How the last requests to an endpoint ended.
  CREATE TABLE @request (
    position int8 GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, owner ID NOT NULL, record text NOT NULL
  ) WITH (CHURN);
  CREATE INDEX ON @request (owner, position);
  `,
  `
  -- Values that the sources of a user share.
  CREATE TABLE @data_store (
    user_id ID, name ID, key ID, updated_at float8 NOT NULL, value text NOT NULL, PRIMARY KEY (user_id, name, key)
  ) WITH (fillfactor = 70, CHURN);
  `,
];

const churn = `autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
    autovacuum_analyze_scale_factor = 0.05, autovacuum_analyze_threshold = 500`;

/** Replaces the abbreviations of a step. */
export const expandStep = (step: string): string =>
  step.replace(/\bCHURN\b/g, churn).replace(/\bID\b/g, `text COLLATE "C"`);
