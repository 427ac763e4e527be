import type { AppListener, Source } from "@x/model";

export interface AppListenerRow {
  readonly app: string;
  readonly name: string;
  readonly user_id: string;
  readonly source_id: string;
  readonly prop: string;
  readonly account_id: string;
  readonly active: number | boolean;
}

export const parseAppListener = (row: AppListenerRow): AppListener => ({
  app: row.app,
  name: row.name,
  userId: row.user_id,
  sourceId: row.source_id,
  prop: row.prop,
  accountId: row.account_id,
  active: Boolean(row.active),
});

/** What a source listens to: a row for each name, one with an empty name for every event. */
export const appListenersOf = ({ id, userId, active, appEvents = {} }: Source): AppListener[] =>
  Object.entries(appEvents).flatMap(([prop, { app, names, accountId = "" }]) =>
    (names.length === 0 ? [""] : names).map((name) => ({ app, name, userId, sourceId: id, prop, accountId, active })),
  );
