import { basename } from "node:path";

import { accountId } from "../accounts/account-use.ts";
import type { ExecutionTestInput } from "../api/executions-api.ts";
import type { CachedSource, SourceCache } from "../invocation/lane/source-cache.ts";
import { XError, type Json, type RecordedDbChange } from "@x/model";
import type { Store, Texts } from "@x/store";
import { dbBefore } from "../test-file/db-before.ts";
import { madeTest } from "../test-file/made-test.ts";
import { readRecord } from "../test-file/read-record.ts";
import { masked } from "../test-file/stand-ins.ts";
import type { Executions } from "./stored-executions.ts";

export interface ExecutionTestParts {
  readonly executions: Pick<Executions, "find" | "list">;
  readonly store: Pick<Store, "account" | "execution">;
  readonly texts: Pick<Texts, "get">;
  readonly sourceCache: Pick<SourceCache, "get">;
}

const unusable = "a test needs the run's event, which only runs have, unless it was too large to be stored";
/** Later runs whose changes of the db are undone; with more of them, only what the run itself changed is known. */
const mostLater = 100;

/** The changes of the later runs and of the run itself, the newest first; undefined when there are too many. */
async function changesSince(
  id: string,
  sourceId: string,
  userId: string,
  { executions, store }: ExecutionTestParts,
): Promise<(readonly RecordedDbChange[])[] | undefined> {
  const { items } = await executions.list(sourceId, { limit: mostLater }, userId);
  const index = items.findIndex((item) => item.id === id);
  if (index === -1) return undefined;
  const changing = items.slice(0, index + 1).filter((item) => item.dbChangeCount > 0 || item.id === id);
  const records = await Promise.all(changing.map((item) => store.execution(item.id)));
  return records.map((record) => record?.detail.db ?? []);
}

/** The fields of credentials with stand-ins for their values. */
function standInsFor(value: Json): Json {
  if (value === null || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(standInsFor);
  if (typeof value !== "object") return masked;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, standInsFor(item)]));
}

async function accountsOf({ component, source }: CachedSource, store: ExecutionTestParts["store"]) {
  const apps = component.shape.props.filter(({ type }) => type === "app");
  const found = await Promise.all(
    apps.map(async ({ name, app = "" }): Promise<[string, Json]> => {
      const id = accountId(source.configuredProps[name]);
      const account = id === undefined ? undefined : await store.account(id);
      const isOwn = account?.userId === source.userId;
      return [name.includes(".") ? app : name, isOwn ? standInsFor({ ...account.auth }) : {}];
    }),
  );
  return Object.fromEntries(found);
}

/** The name of the component's file, as far as it is known. */
async function fileOf({ component, source }: CachedSource, texts: ExecutionTestParts["texts"]): Promise<string> {
  const { componentUrl } = component;
  const map = JSON.parse((await texts.get(component.texts.sourceMap)) || "{}") as { sources?: readonly string[] };
  const names = [componentUrl && URL.parse(componentUrl)?.pathname, map.sources?.at(-1)];
  const known = names
    .map((name) => basename(name ?? ""))
    .find((name) => /^(?!component\.)[\w.-]+\.[cm]?[jt]s$/.test(name));
  return `./${known ?? `${source.nameSlug}.js`}`;
}

/** The text of a test that repeats a run. Rejects with `not_found`, and `not_replayable` when the record lacks the event. */
export async function executionTest(
  id: string,
  { component: file }: ExecutionTestInput,
  userId: string,
  parts: ExecutionTestParts,
): Promise<string> {
  const execution = await parts.executions.find(id, userId);
  const run = readRecord(execution);
  if (!run) throw new XError("not_replayable", [id, unusable]);
  const cached = await parts.sourceCache.get(execution.sourceId);
  const { source, component } = cached;
  const present = new Map(cached.db);
  const changes = await changesSince(id, source.id, userId, parts);
  const { shape } = component;
  return madeTest(run, {
    kind: shape.workflow ? "workflow" : "source",
    name: shape.name,
    ...(shape.dedupe && { dedupe: shape.dedupe }),
    props: shape.props,
    configuredProps: source.configuredProps,
    settings: source.settings,
    ids: [source.id, source.deploymentId, component.id],
    endpointKeys: Object.values(source.endpoints),
    dbBefore: changes ? dbBefore(present, changes) : dbBefore(new Map(), [execution.detail.db]),
    accounts: await accountsOf(cached, parts.store),
    file: file ?? (await fileOf(cached, parts.texts)),
  });
}
