import type { Source, SourceState } from "@x/model";
import type { SourceReads } from "../contract.ts";
import type { SyncReads } from "../reads.ts";
import { readUserPage } from "./list-page.ts";
import { streamNumbers } from "../numbers.ts";
import { parseRecord } from "../rows/record-row.ts";
import {
  type DedupeRow,
  type EmitterHeadRow,
  parseSourceState,
  parseStreamHead,
  parseTransition,
  hasSourceKind,
  slugsLike,
  sourceIds,
  type StreamHeadRow,
  type TransitionRow,
} from "../rows/source-rows.ts";
import type { Query } from "./query.ts";
import type { SourceCounts } from "./source-counts.ts";

interface TimerRow {
  readonly source_id: string;
  readonly at: number;
  readonly last_at: number;
}

const readState = (query: Query, id: string): SourceState =>
  parseSourceState(
    query.all<DedupeRow>("SELECT channel, strategy, ids FROM dedupe WHERE source_id = ?", id),
    query.all<StreamHeadRow>("SELECT stream, ms, seq FROM stream_head WHERE emitter_id = ?", id),
  );

/** A slug and those that begin with it and a hyphen, as one range of the index: with OR, all sources of the user would be read. */
export const slugsSql = "SELECT name_slug FROM source WHERE user_id = ?1 AND name_slug >= ?2 AND name_slug < ?2 || '.'";

/** Reads sources with their state, dbs, timers and changes. */
export const sourceReads = (query: Query, counts: Pick<SourceCounts, "count">): Pick<SyncReads, keyof SourceReads> => ({
  source: (id) => query.record<Source>("SELECT record FROM source WHERE id = ?", id),
  sourceByEndpoint: (key) =>
    query.record<Source>("SELECT record FROM source WHERE id = (SELECT source_id FROM endpoint WHERE key = ?)", key),
  sourceBySlug: (userId, slug) =>
    query.record<Source>(
      "SELECT record FROM source WHERE user_id = ? AND name_slug = ? AND substr(id, 1, 2) = 'dc'",
      userId,
      slug,
    ),
  sources(userId, page, only) {
    const list = {
      table: "source",
      columns: "record",
      ids: sourceIds(only),
      where: hasSourceKind(only),
      counts,
    } as const;
    return readUserPage(query, list, userId, page, parseRecord<Source>);
  },
  slugs: (userId, slug) => slugsLike(slug, query.all<{ name_slug: string }>(slugsSql, userId, slug)),
  sourceState: (id) => readState(query, id),
  newestHeads: (userId, stream, limit) =>
    query
      .all<EmitterHeadRow>(
        `SELECT emitter_id, ms, seq FROM stream_head JOIN source ON source.id = emitter_id
          WHERE user_id = ? AND stream = ? ORDER BY ms DESC, seq DESC, emitter_id LIMIT ?`,
        userId,
        streamNumbers[stream],
        limit,
      )
      .map(parseStreamHead),
  db(sourceId) {
    const rows = query.all<{ key: string; value: string }>("SELECT key, value FROM kv WHERE source_id = ?", sourceId);
    return new Map(rows.map(({ key, value }) => [key, value]));
  },
  dbTimes(sourceId) {
    const rows = query.all<{ key: string; at: number }>(
      "SELECT key, updated_at AS at FROM kv WHERE source_id = ?",
      sourceId,
    );
    return new Map(rows.map(({ key, at }) => [key, at]));
  },
  timers: (slots) =>
    query
      .all<TimerRow>("SELECT source_id, at, last_at FROM timer")
      .filter((row) => slots?.has(row.source_id) !== false)
      .map((row) => ({ sourceId: row.source_id, at: row.at, lastAt: row.last_at })),
  transitions: () => query.all<TransitionRow>("SELECT crashes, running, record FROM transition").map(parseTransition),
});
