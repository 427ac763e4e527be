import type { AppEndpoint, RequestEntry } from "@x/model";
import type { AppReads } from "../app-contract.ts";
import type { SyncReads } from "../reads.ts";
import { type AppListenerRow, parseAppListener } from "../rows/app-rows.ts";
import { parseRecord, type RecordRow } from "../rows/record-row.ts";
import type { Query } from "./query.ts";

interface IdentityRow {
  readonly account_id: string;
  readonly field: string;
  readonly value: string;
}

const listenerColumns = "app, name, user_id, source_id, prop, account_id, active";
const listed = (column: string, parameter: string): string =>
  `${column} IN (SELECT value FROM json_each(${parameter}))`;

/** Reads the endpoints of apps, who listens, and what was received. Lists are JSON texts. */
export const appReads = (query: Query): Pick<SyncReads, keyof AppReads> => ({
  appEndpoint: (userId, slug) =>
    query.record<AppEndpoint>("SELECT record FROM app_endpoint WHERE user_id = ? AND slug = ?", userId, slug),
  appEndpointByKey: (key) => query.record<AppEndpoint>("SELECT record FROM app_endpoint WHERE key = ?", key),
  appEndpoints: (userId) =>
    query
      .all<RecordRow>("SELECT record FROM app_endpoint WHERE user_id = ? ORDER BY slug", userId)
      .map(parseRecord<AppEndpoint>),
  appListeners({ app, names, accountIds, userId }) {
    const conditions = ["app = ?"];
    const values = [app];
    const restrict = (condition: string, value: string): void => {
      conditions.push(condition);
      values.push(value);
    };
    if (names) restrict(listed("name", "?"), JSON.stringify(names));
    if (userId !== undefined) restrict("user_id = ?", userId);
    if (accountIds) restrict(listed("account_id", "?"), JSON.stringify(accountIds));
    const sql = `SELECT ${listenerColumns} FROM app_listener WHERE ${conditions.join(" AND ")}`;
    return query.all<AppListenerRow>(sql, ...values).map(parseAppListener);
  },
  accountsWith: (app, fields, userId = "") =>
    query
      .all<IdentityRow>(
        `SELECT i.account_id, i.field, i.value FROM json_each(?2) AS p JOIN account_identity AS i
          ON i.app = ?1 AND i.field = p.value ->> 0 AND i.value = p.value ->> 1 WHERE ?3 = '' OR i.user_id = ?3`,
        app,
        JSON.stringify(fields),
        userId,
      )
      .map(({ account_id, field, value }) => ({ accountId: account_id, field: [field, value] as const })),
  identityFields: (accountIds) =>
    query
      .all<IdentityRow>(
        `SELECT account_id, field FROM account_identity WHERE ${listed("account_id", "?")}`,
        JSON.stringify(accountIds),
      )
      .map(({ account_id, field }) => ({ accountId: account_id, name: field })),
  seenAppEvents: (userId, slug, ids) =>
    query.all<{ id: string; at: number }>(
      `SELECT id, at FROM app_event WHERE user_id = ? AND slug = ? AND ${listed("id", "?")}`,
      userId,
      slug,
      JSON.stringify(ids),
    ),
  requests: (owner, limit) =>
    query
      .all<RecordRow>("SELECT record FROM request WHERE owner = ? ORDER BY position DESC LIMIT ?", owner, limit)
      .map(parseRecord<RequestEntry>),
});
