import { type Account, type AccountApp, type Project, type User, parseRecord, type RecordRow } from "@x/runtime/store";

import { readUserPage } from "./list-page.ts";
import type { Query } from "./query.ts";
import type { Reads } from "./reads.ts";

interface UsageRow {
  readonly invocations: number;
  readonly compute_ms: number;
}

type Names = "user" | "users" | "usage" | "account" | "accounts" | "app" | "apps" | "project" | "projects";

/** Reads users, their usage, their accounts, apps and projects. */
export const userReads = (query: Query): Pick<Reads, Names> => ({
  user: (id) => query.record<User>("SELECT record FROM @user WHERE id = $1", id),
  users: async () => (await query.all<RecordRow>("SELECT record FROM @user ORDER BY position")).map(parseRecord<User>),
  async usage(userId, day, lastDay = day) {
    const sql = `SELECT coalesce(sum(invocations), 0)::int8 AS invocations, coalesce(sum(compute_ms), 0) AS compute_ms
      FROM @usage WHERE user_id = $1 AND day BETWEEN $2 AND $3`;
    const row = await query.one<UsageRow>(sql, userId, day, lastDay);
    return { invocations: row?.invocations ?? 0, computeMs: row?.compute_ms ?? 0 };
  },
  project: (userId, name) =>
    query.record<Project>("SELECT record FROM @project WHERE user_id = $1 AND name = $2", userId, name),
  async projects(userId) {
    const rows = await query.all<RecordRow>("SELECT record FROM @project WHERE user_id = $1 ORDER BY name", userId);
    return rows.map(parseRecord<Project>);
  },
  account: (id) => query.record<Account>("SELECT record FROM @account WHERE id = $1", id),
  accounts(userId, page, app) {
    const where = app === undefined ? undefined : { column: "app", value: app };
    const list = { table: "account", columns: "record", ids: /^apn_/, where } as const;
    return readUserPage(query, list, userId, page, parseRecord<Account>);
  },
  app: (userId, slug) =>
    query.record<AccountApp>("SELECT record FROM @app WHERE user_id = $1 AND slug = $2", userId, slug),
  apps: async (userId) =>
    (await query.all<RecordRow>("SELECT record FROM @app WHERE user_id = $1 ORDER BY slug", userId)).map(
      parseRecord<AccountApp>,
    ),
});
