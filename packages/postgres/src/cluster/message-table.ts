import type { Query } from "../query.ts";

/** A message to this node, which it has taken. */
export interface Taken {
  readonly id: string;
  /** The question that it belongs to; of a question, its own id. */
  readonly call: string;
  readonly type: "ask" | "tell";
  readonly kind: string;
  readonly from: string;
  readonly body: Uint8Array;
}

/** A question, or one of a call's questions and answers. */
export interface CallRow {
  readonly call: string;
  readonly type: "ask" | "tell" | "answer";
  readonly kind: string;
  readonly body: Uint8Array;
  /** A question that its node will answer no more. */
  readonly isOrphan: boolean;
}

/** A new message. */
export interface NewMessage {
  readonly id: string;
  readonly call: string;
  readonly type: "ask" | "answer";
  readonly kind: string;
  readonly toNode: string | null;
  readonly toSlot: number | null;
  readonly body: Uint8Array;
}

/** The table of messages, for one node. Every statement may be repeated. */
export interface MessageTable {
  add(message: NewMessage): Promise<void>;
  /** Adds a message to every other node; returns the nodes. */
  tell(call: string, kind: string, body: Uint8Array): Promise<readonly string[]>;
  /** Takes what is for this node or its slots, in order, without those of `except`. */
  take(slots: readonly number[], except: readonly string[], limit: number): Promise<readonly Taken[]>;
  /** Replaces a question by its answer, unless it was withdrawn. */
  answer(question: Taken, answer: NewMessage): Promise<void>;
  calls(calls: readonly string[]): Promise<readonly CallRow[]>;
  /** Removes all rows of calls. */
  forget(calls: readonly string[]): Promise<void>;
  /** Removes a question: it needs no answer any more. */
  withdraw(call: string): Promise<void>;
  /** Removes answers to this node, except those of calls that wait. */
  sweep(waiting: readonly string[]): Promise<void>;
}

/** A question of this kind goes to the next owner when the node that took it is dead, unless its effect is stored. */
const repeatedKind = "request";

const isLive = (column: string): string =>
  `EXISTS (SELECT 1 FROM @node live WHERE live.id = ${column} AND NOT live.dead)`;

/** A question is worth nothing after a crash of the server: who asked sees that it is gone. */
const hasty = "(SELECT set_config('synchronous_commit', 'off', true)) AS hasty";

const insertSql = `INSERT INTO @message (id, call, type, kind, from_node, to_node, to_slot, done, body)
  SELECT $1, $2, $3, $4, $5, $6, $7::int4, false, $8::bytea FROM ${hasty}`;

// A message to all must outlive a crash of the server: nodes have copies of what changed.
const tellSql = `INSERT INTO @message (id, call, type, kind, from_node, to_node, done, body)
  SELECT $1 || ' ' || n.id, $1, 'tell', $2, $3, n.id, false, $4::bytea FROM @node n WHERE NOT n.dead AND n.id <> $3
  ON CONFLICT (id) DO UPDATE SET kind = excluded.kind RETURNING to_node`;

const takeSql = `UPDATE @message m SET taken = $1 FROM ${hasty} WHERE m.id IN (
    SELECT id FROM @message q WHERE q.type <> 'answer' AND (q.to_node = $1 OR q.to_slot = ANY ($2::int4[])) AND NOT q.done
      AND (q.taken IS NULL OR q.taken = $1 OR (q.kind = '${repeatedKind}' AND NOT ${isLive("q.taken")}))
      AND NOT q.id = ANY ($3::text[]) ORDER BY q.position LIMIT $4 FOR UPDATE SKIP LOCKED)
  RETURNING m.position, m.id, m.call, m.type, m.kind, m.from_node AS "from", m.body`;

const addSql = `${insertSql} ON CONFLICT (id) DO NOTHING`;

// A question that was withdrawn has no answer.
const answerSql = `WITH question AS (DELETE FROM @message WHERE id = $9 RETURNING 1) ${insertSql}, question`;

// The node of a question to a node, and the one that has taken it. A node that has not joined handles messages when it does.
const callsSql = `SELECT m.call, m.type, m.kind, m.body, CASE m.type
    WHEN 'tell' THEN NOT EXISTS (SELECT 1 FROM @node n WHERE n.id = m.to_node AND NOT n.dead AND n.joined)
    WHEN 'ask' THEN m.taken IS NOT NULL AND (m.done OR m.kind <> '${repeatedKind}') AND NOT ${isLive("m.taken")}
    ELSE false END AS "isOrphan"
  FROM @message m WHERE m.call = ANY ($1::text[]) ORDER BY m.position`;

const forgetSql = `DELETE FROM @message m USING ${hasty} WHERE m.call = ANY ($1::text[]) AND (m.type <> 'tell' OR NOT ${isLive("m.to_node")})`;

const withdrawSql = `DELETE FROM @message m USING ${hasty} WHERE m.id = $1`;

const sweepSql = `DELETE FROM @message m USING ${hasty}
  WHERE m.to_node = $1 AND m.type = 'answer' AND NOT m.call = ANY ($2::text[])`;

export function createMessageTable(query: Query, nodeId: string): MessageTable {
  const values = ({ id, call, type, kind, toNode, toSlot, body }: NewMessage) =>
    [id, call, type, kind, nodeId, toNode, toSlot, body] as const;
  return {
    async add(message) {
      await query.all(addSql, ...values(message));
    },
    async tell(call, kind, body) {
      const rows = await query.all<{ readonly to_node: string }>(tellSql, call, kind, nodeId, body);
      return rows.map(({ to_node }) => to_node);
    },
    async take(slots, except, limit) {
      const rows = await query.all<Taken & { readonly position: number }>(takeSql, nodeId, slots, except, limit);
      return rows.toSorted((a, b) => a.position - b.position);
    },
    async answer(question, answer) {
      await query.all(answerSql, ...values(answer), question.id);
    },
    calls: (calls) => query.all<CallRow>(callsSql, calls),
    async forget(calls) {
      await query.all(forgetSql, calls);
    },
    async withdraw(call) {
      await query.all(withdrawSql, call);
    },
    async sweep(waiting) {
      await query.all(sweepSql, nodeId, waiting);
    },
  };
}
