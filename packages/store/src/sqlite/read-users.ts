import type { Account, AccountApp, Project, User } from "@x/model";
import type { SyncReads } from "../reads.ts";
import { readUserPage } from "./list-page.ts";
import { parseRecord, type RecordRow } from "../rows/record-row.ts";
import type { Query } from "./query.ts";

interface UsageRow {
  readonly invocations: number;
  readonly compute_ms: number;
}

type Names = "user" | "users" | "usage" | "account" | "accounts" | "app" | "apps" | "project" | "projects";

/** Reads users, their usage, their accounts, apps and projects. */
export const userReads = (query: Query): Pick<SyncReads, Names> => ({
  user: (id) => query.record<User>("SELECT record FROM user WHERE id = ?", id),
  users: () => query.all<RecordRow>("SELECT record FROM user ORDER BY position").map(parseRecord<User>),
  usage(userId, day, lastDay = day) {
    const sql = `SELECT coalesce(sum(invocations), 0) AS invocations, total(compute_ms) AS compute_ms
      FROM usage WHERE user_id = ? AND day BETWEEN ? AND ?`;
    const row = query.one<UsageRow>(sql, userId, day, lastDay);
    return { invocations: row?.invocations ?? 0, computeMs: row?.compute_ms ?? 0 };
  },
  project: (userId, name) =>
    query.record<Project>("SELECT record FROM project WHERE user_id = ? AND name = ?", userId, name),
  projects: (userId) =>
    query
      .all<RecordRow>("SELECT record FROM project WHERE user_id = ? ORDER BY name", userId)
      .map(parseRecord<Project>),
  account: (id) => query.record<Account>("SELECT record FROM account WHERE id = ?", id),
  accounts(userId, page, app) {
    const where = app === undefined ? undefined : { column: "app", value: app };
    const list = { table: "account", columns: "record", ids: /^apn_/, where } as const;
    return readUserPage(query, list, userId, page, parseRecord<Account>);
  },
  app: (userId, slug) =>
    query.record<AccountApp>("SELECT record FROM app WHERE user_id = ? AND slug = ?", userId, slug),
  apps: (userId) =>
    query.all<RecordRow>("SELECT record FROM app WHERE user_id = ? ORDER BY slug", userId).map(parseRecord<AccountApp>),
});
