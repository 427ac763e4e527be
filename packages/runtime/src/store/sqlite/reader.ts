import { DatabaseSync } from "node:sqlite";

import type { Account, DedupeState, EventId, Source, StreamKind, TriggerHead, User } from "../../model/model.ts";
import type { Sealing, Store } from "../contract.ts";
import { createQuery } from "./query.ts";
import { readAccounts } from "./read-accounts.ts";
import { readComponent, readText } from "./read-components.ts";
import * as deliveries from "./read-deliveries.ts";
import { readEvents } from "./read-events.ts";
import { readSources } from "./read-sources.ts";
import { readAutoSubscriptions, readSubscriptions } from "./read-subscriptions.ts";
import * as webhooks from "./read-webhooks.ts";
import * as rows from "./rows.ts";
import { streamNumbers } from "./statements.ts";

type Reads = Omit<Store, "failed" | "commit" | "close" | "recoverTriggers" | "recoverTransitions" | "sweep">;

/** The reading half of a store, synchronous: what it reads is on this machine. */
export type Reader = {
  readonly [name in keyof Reads]: (...values: Parameters<Reads[name]>) => Awaited<ReturnType<Reads[name]>>;
} & { readonly close: () => void };

const streamNames = Object.fromEntries(
  Object.entries(streamNumbers).map(([name, number]) => [number, name as StreamKind]),
);

const triggerColumns = "id, source_id, type, http_prop, at, crashes, hops, of_error";
const headColumns = `${triggerColumns}, bytes,
  (SELECT octet_length(payload) FROM shared_payload WHERE shared_payload.emit_id = inbox.emit_id) AS shared_bytes,
  (SELECT uses FROM shared_payload WHERE shared_payload.emit_id = inbox.emit_id) AS uses,
  (SELECT user_id FROM source WHERE source.id = source_id) AS user_id`;

/** Opens a second, read-only connection: it sees every commit that has resolved. */
export function openReader(file: string, busyTimeoutMs: number): Reader {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  const query = createQuery(database);
  const record = <T>(sql: string, ...values: string[]): T | undefined => {
    const row = query.one<rows.RecordRow>(sql, ...values);
    return row && rows.parseRecord<T>(row);
  };

  return {
    user: (id) => record<User>("SELECT record FROM user WHERE id = ?", id),
    users: () =>
      query.all<rows.RecordRow>("SELECT record FROM user ORDER BY place").map((row) => rows.parseRecord<User>(row)),

    component: (id) => readComponent(query, "id = ?", id),
    componentByKey: (userId, key) =>
      readComponent(query, "user_id = ? AND component.key = ? ORDER BY place DESC LIMIT 1", userId, key),
    componentByContent: (userId, contentHash) =>
      readComponent(query, "user_id = ? AND content_hash = ? ORDER BY place DESC LIMIT 1", userId, contentHash),
    text: (hash) => readText(query, hash),
    lockKeys: (componentIds) =>
      query
        .all<{ key: string }>(
          `SELECT DISTINCT key FROM package_lock WHERE hash IN (SELECT lock_hash FROM component WHERE id IN (
            SELECT value FROM json_each(?) UNION SELECT json_extract(record, '$.componentId') FROM source))`,
          JSON.stringify(componentIds),
        )
        .map(({ key }) => key),
    registryFiles: (registry) => query.all("SELECT id, record FROM registry_file WHERE registry = ?", registry),

    source: (id) => record<Source>("SELECT record FROM source WHERE id = ?", id),
    sourceByEndpoint: (key) =>
      record<Source>("SELECT record FROM source WHERE id = (SELECT source_id FROM endpoint WHERE key = ?)", key),
    sources: (userId, page, only) => readSources(query, userId, page, only),
    slugs: (userId, slug) =>
      query
        .all<{ name_slug: string }>(
          "SELECT name_slug FROM source WHERE user_id = ?1 AND (name_slug = ?2 OR (name_slug > ?2 || '-' AND name_slug < ?2 || '.'))",
          userId,
          slug,
        )
        .map((row) => row.name_slug)
        .filter((text) => text === slug || /^\d+$/.test(text.slice(slug.length + 1))),

    sourceState: (id) => {
      const states = query
        .all<rows.DedupeRow>("SELECT channel, strategy, ids FROM dedupe WHERE source_id = ?", id)
        .map(({ channel, strategy, ids }): [string, DedupeState] => [
          channel,
          { strategy, ids: JSON.parse(ids) as string[] },
        ]);
      const heads: { [stream in StreamKind]?: EventId } = {};
      for (const row of query.all<rows.HeadRow>("SELECT stream, ms, seq FROM stream_head WHERE emitter_id = ?", id)) {
        heads[streamNames[row.stream] ?? "emits"] = { ms: row.ms, seq: row.seq };
      }
      return { dedupe: Object.fromEntries(states), heads };
    },
    db: (sourceId) =>
      new Map(
        query
          .all<{ key: string; value: string }>("SELECT key, value FROM kv WHERE source_id = ?", sourceId)
          .map((row) => [row.key, row.value]),
      ),

    dbTimes: (sourceId) =>
      new Map(
        query
          .all<{ key: string; updated_at: number }>("SELECT key, updated_at FROM kv WHERE source_id = ?", sourceId)
          .map((row) => [row.key, row.updated_at]),
      ),

    events: (emitterId, stream, wanted) => readEvents(query, emitterId, stream, wanted),
    timers: () => query.all<rows.TimerRow>("SELECT source_id, at, last_at FROM timer").map(rows.parseTimer),
    triggers: (sourceId): readonly TriggerHead[] => {
      const found =
        sourceId === undefined
          ? query.all<rows.TriggerHeadRow>(`SELECT ${headColumns} FROM inbox ORDER BY at, place`)
          : query.all<rows.TriggerHeadRow>(
              `SELECT ${headColumns} FROM inbox WHERE source_id = ? ORDER BY at, place`,
              sourceId,
            );
      return found.map(rows.parseTriggerHead);
    },
    trigger: (id) => {
      const row = query.one<rows.StoredTriggerRow>(
        `SELECT ${triggerColumns}, body, CASE WHEN emit_id IS NULL THEN event
          ELSE (SELECT payload FROM shared_payload WHERE shared_payload.emit_id = inbox.emit_id) END AS event
          FROM inbox WHERE id = ?`,
        id,
      );
      return row && rows.parseTrigger(row);
    },
    transitions: () =>
      query.all<rows.TransitionRow>("SELECT crashes, running, record FROM transition").map(rows.parseTransition),
    usage: (userId, day, lastDay = day) => {
      const sql = `SELECT coalesce(sum(invocations), 0) AS invocations, total(compute_ms) AS compute_ms
        FROM usage WHERE user_id = ? AND day BETWEEN ? AND ?`;
      const row = query.one<rows.UsageRow>(sql, userId, day, lastDay);
      return row ? rows.parseUsage(row) : { invocations: 0, computeMs: 0 };
    },

    subscriptions: (userId) => readSubscriptions(query, userId),
    autoSubscriptions: (userId) => readAutoSubscriptions(query, userId),
    webhook: (id) => webhooks.readWebhook(query, id),
    webhooks: (userId, page) => webhooks.readWebhooks(query, userId, page),
    allWebhooks: () => webhooks.readAllWebhooks(query),
    delivery: (id) => deliveries.readDelivery(query, id),
    deliveries: (webhookId, page) => deliveries.readDeliveries(query, webhookId, page),
    dueDelivery: (webhookId, emitterId, now) => deliveries.readDueDelivery(query, webhookId, emitterId, now),
    deliveryLanes: (webhookId, emitterId) => deliveries.readLanes(query, webhookId, emitterId),
    account: (id) => record<Account>("SELECT record FROM account WHERE id = ?", id),
    accounts: (userId, page, app) => readAccounts(query, userId, page, app),
    sealing: () => record<Sealing>("SELECT record FROM sealing"),
    close: () => database.close(),
  };
}
