import type { DedupeState, DedupeStrategy, EventId, SourceState, StreamKind } from "@x/model";
import type { StoredTransition, StreamHead } from "../contract.ts";
import { streamNumbers } from "../numbers.ts";
import { parseRecord, type RecordRow } from "./record-row.ts";

export interface DedupeRow {
  readonly channel: string;
  readonly strategy: DedupeStrategy;
  /** JSON text. */
  readonly ids: string;
}

/** The newest event of a stream. */
export interface StreamHeadRow extends EventId {
  readonly stream: number;
}

/** The same of an emitter. */
export interface EmitterHeadRow extends EventId {
  readonly emitter_id: string;
}

export interface TransitionRow extends RecordRow {
  readonly crashes: number;
  readonly running: number | boolean;
}

const streamNames = Object.fromEntries(
  Object.entries(streamNumbers).map(([name, number]) => [number, name as StreamKind]),
);

export function parseSourceState(states: readonly DedupeRow[], rows: readonly StreamHeadRow[]): SourceState {
  const dedupe = states.map(({ channel, strategy, ids }): [string, DedupeState] => [
    channel,
    { strategy, ids: JSON.parse(ids) as string[] },
  ]);
  const heads: { [stream in StreamKind]?: EventId } = {};
  for (const { stream, ms, seq } of rows) heads[streamNames[stream] ?? "emits"] = { ms, seq };
  return { dedupe: Object.fromEntries(dedupe), heads };
}

export const parseStreamHead = ({ emitter_id: emitterId, ms, seq }: EmitterHeadRow): StreamHead => ({
  emitterId,
  newest: { ms, seq },
});

/** What ids of sources of a kind look like; without one, those of all sources. */
export const sourceIds = (kind?: string): RegExp => (kind === undefined ? /^(?:dc|p)_/ : new RegExp(`^${kind}_`));

/** The same as a condition on the expression of an index. */
export const hasSourceKind = (kind?: string): { column: string; value: string } | undefined =>
  kind === undefined ? undefined : { column: "substr(id, 1, 2)", value: kind.padEnd(2, "_") };

/** The slug and those that were made of it with a number, of slugs that begin with it. */
export const slugsLike = (slug: string, rows: readonly { readonly name_slug: string }[]): string[] =>
  rows
    .map((row) => row.name_slug)
    .filter((text) => text === slug || (text.startsWith(`${slug}-`) && /^\d+$/.test(text.slice(slug.length + 1))));

export const parseTransition = (row: TransitionRow): StoredTransition => ({
  ...parseRecord<Omit<StoredTransition, "crashes" | "running">>(row),
  crashes: row.crashes,
  running: Boolean(row.running),
});
