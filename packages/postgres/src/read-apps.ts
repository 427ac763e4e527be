import {
  type AppEndpoint,
  type AppListenerRow,
  type AppReads,
  parseAppListener,
  parseRecord,
  type RecordRow,
  type RequestEntry,
} from "@x/runtime/store";

import type { Parameter, Query } from "./query.ts";

interface IdentityRow {
  readonly account_id: string;
  readonly field: string;
  readonly value: string;
}

const listenerColumns = "app, name, user_id, source_id, prop, account_id, active";

/** Reads the endpoints of apps, who listens, and what was received. */
export const appReads = (query: Query): AppReads => ({
  appEndpoint: (userId, slug) =>
    query.record<AppEndpoint>("SELECT record FROM @app_endpoint WHERE user_id = $1 AND slug = $2", userId, slug),
  appEndpointByKey: (key) => query.record<AppEndpoint>("SELECT record FROM @app_endpoint WHERE key = $1", key),
  async appEndpoints(userId) {
    const rows = await query.all<RecordRow>(
      "SELECT record FROM @app_endpoint WHERE user_id = $1 ORDER BY slug",
      userId,
    );
    return rows.map(parseRecord<AppEndpoint>);
  },
  async appListeners({ app, names, accountIds, userId }) {
    const values: Parameter[] = [app];
    const conditions = ["app = $1"];
    const restrict = (condition: (parameter: string) => string, value: Parameter): void => {
      values.push(value);
      conditions.push(condition(`$${values.length}`));
    };
    if (names) restrict((parameter) => `name = ANY (${parameter}::text[])`, names);
    if (userId !== undefined) restrict((parameter) => `user_id = ${parameter}`, userId);
    if (accountIds) restrict((parameter) => `account_id = ANY (${parameter}::text[])`, accountIds);
    const sql = `SELECT ${listenerColumns} FROM @app_listener WHERE ${conditions.join(" AND ")}`;
    return (await query.all<AppListenerRow>(sql, ...values)).map(parseAppListener);
  },
  async accountsWith(app, fields, userId = "") {
    const sql = `SELECT i.account_id, i.field, i.value FROM unnest($2::text[], $3::text[]) AS p (field, value)
      JOIN @account_identity i ON i.app = $1 AND i.field = p.field AND i.value = p.value
      WHERE $4::text = '' OR i.user_id = $4`;
    const [names, values] = [fields.map(([name]) => name), fields.map(([, value]) => value)];
    const rows = await query.all<IdentityRow>(sql, app, names, values, userId);
    return rows.map(({ account_id, field, value }) => ({ accountId: account_id, field: [field, value] as const }));
  },
  async identityFields(accountIds) {
    const sql = "SELECT account_id, field FROM @account_identity WHERE account_id = ANY ($1::text[])";
    const rows = await query.all<IdentityRow>(sql, accountIds);
    return rows.map(({ account_id, field }) => ({ accountId: account_id, name: field }));
  },
  seenAppEvents: (userId, slug, ids) =>
    query.all(
      "SELECT id, at FROM @app_event WHERE user_id = $1 AND slug = $2 AND id = ANY ($3::text[])",
      userId,
      slug,
      ids,
    ),
  async requests(owner, limit) {
    const sql = "SELECT record FROM @request WHERE owner = $1 ORDER BY position DESC LIMIT $2";
    return (await query.all<RecordRow>(sql, owner, limit)).map(parseRecord<RequestEntry>);
  },
});
