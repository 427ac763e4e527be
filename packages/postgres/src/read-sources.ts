import {
  type DedupeRow,
  type EmitterHeadRow,
  hasSourceKind,
  parseRecord,
  parseSourceState,
  parseStreamHead,
  parseTransition,
  slugsLike,
  type Source,
  sourceIds,
  type SourceReads,
  type SourceState,
  type StreamHeadRow,
  streamNumbers,
  type TransitionRow,
} from "@x/runtime/store";

import { readUserPage } from "./list-page.ts";
import type { Query } from "./query.ts";
import { inSlots } from "./slot-condition.ts";

async function readState(query: Query, id: string): Promise<SourceState> {
  const [states, rows] = await Promise.all([
    query.all<DedupeRow>("SELECT channel, strategy, ids FROM @dedupe WHERE source_id = $1", id),
    query.all<StreamHeadRow>("SELECT stream, ms, seq FROM @stream_head WHERE emitter_id = $1", id),
  ]);
  return parseSourceState(states, rows);
}

/** Reads sources with their state, dbs, timers and changes. */
export const sourceReads = (query: Query): SourceReads => ({
  source: (id) => query.record<Source>("SELECT record FROM @source WHERE id = $1", id),
  sourceByEndpoint: (key) =>
    query.record<Source>("SELECT s.record FROM @endpoint e JOIN @source s ON s.id = e.source_id WHERE e.key = $1", key),
  sourceBySlug: (userId, slug) =>
    query.record<Source>(
      "SELECT record FROM @source WHERE user_id = $1 AND name_slug = $2 AND substr(id, 1, 2) = 'dc'",
      userId,
      slug,
    ),
  sources(userId, page, only) {
    const list = { table: "source", columns: "record", ids: sourceIds(only), where: hasSourceKind(only) } as const;
    return readUserPage(query, list, userId, page, parseRecord<Source>);
  },
  async slugs(userId, slug) {
    const rows = await query.all<{ name_slug: string }>(
      // One range, which the index finds; with OR it would read all sources of the user.
      "SELECT name_slug FROM @source WHERE user_id = $1 AND name_slug >= $2 AND name_slug < $2 || '.'",
      userId,
      slug,
    );
    return slugsLike(slug, rows);
  },
  sourceState: (id) => readState(query, id),
  async newestHeads(userId, stream, limit) {
    const rows = await query.all<EmitterHeadRow>(
      `SELECT h.emitter_id, h.ms, h.seq FROM @stream_head h JOIN @source s ON s.id = h.emitter_id
        WHERE s.user_id = $1 AND h.stream = $2 ORDER BY h.ms DESC, h.seq DESC, h.emitter_id LIMIT $3`,
      userId,
      streamNumbers[stream],
      limit,
    );
    return rows.map(parseStreamHead);
  },
  async db(sourceId) {
    const sql = "SELECT key, value FROM @kv WHERE source_id = $1 ORDER BY key";
    const rows = await query.all<{ key: string; value: string }>(sql, sourceId);
    return new Map(rows.map(({ key, value }) => [key, value]));
  },
  async dbTimes(sourceId) {
    const sql = "SELECT key, updated_at AS at FROM @kv WHERE source_id = $1 ORDER BY key";
    const rows = await query.all<{ key: string; at: number }>(sql, sourceId);
    return new Map(rows.map(({ key, at }) => [key, at]));
  },
  timers: (slots) =>
    query.all(
      `SELECT source_id AS "sourceId", at, last_at AS "lastAt" FROM @timer${slots ? ` WHERE ${inSlots("source_id", 1)}` : ""}`,
      ...(slots ? [slots.list] : []),
    ),
  async transitions() {
    const rows = await query.all<TransitionRow>("SELECT crashes, running, record FROM @transition");
    return rows.map(parseTransition);
  },
});
