import { basename } from "node:path";

import { accountId } from "@x/accounts";
import type { ExecutionTestInput } from "../api/executions-api.ts";
import type { CachedSource, SourceCache } from "../invocation/lane/source-cache.ts";
import { effectiveComponent, XError, type ExecutionDetail, type Json, type RanWith } from "@x/model";
import type { Store, Texts } from "@x/store";
import { dbBefore } from "../test-file/db-before.ts";
import { madeTest } from "../test-file/made-test.ts";
import { readRecord } from "../test-file/read-record.ts";
import { masked } from "../test-file/stand-ins.ts";
import { dataStoresBefore } from "./data-stores-before.ts";
import { differencesOf } from "./ran-with.ts";
import type { Executions } from "./stored-executions.ts";

export interface ExecutionTestParts {
  readonly executions: Pick<Executions, "find" | "list">;
  readonly store: Pick<Store, "account" | "component" | "dataStoreValues" | "execution">;
  readonly texts: Pick<Texts, "get">;
  readonly sourceCache: Pick<SourceCache, "get">;
}

type TestStore = ExecutionTestParts["store"];

const unusable = "a test needs the run's event, which only runs have, unless it was too large to be stored";
/** Later runs whose changes are undone; with more of them, only what the run itself changed is known. */
const maxLater = 100;

/** The records of the later runs that changed something and of the run itself, the newest first; undefined when there are too many. */
async function changesSince(
  id: string,
  sourceId: string,
  userId: string,
  { executions, store }: ExecutionTestParts,
): Promise<ExecutionDetail[] | undefined> {
  const { items } = await executions.list(sourceId, { limit: maxLater }, userId);
  const index = items.findIndex((item) => item.id === id);
  if (index === -1) return undefined;
  const changing = items
    .slice(0, index + 1)
    .filter((item) => item.dbChangeCount > 0 || item.dataStoreChangeCount !== undefined || item.id === id);
  const records = await Promise.all(changing.map((item) => store.execution(item.id)));
  return records.flatMap((record) => record?.detail ?? []);
}

/** The fields of credentials with stand-ins for their values. */
function standInsFor(value: Json): Json {
  if (value === null || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(standInsFor);
  if (typeof value !== "object") return masked;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, standInsFor(item)]));
}

/** The source and the component of a run, or the present ones where the record lacks them, with what a reader has to know. */
interface RanSource extends Configured {
  readonly notes: readonly string[];
}

type Configured = Pick<CachedSource, "source" | "component">;

const asNow = (what: string): string => `The record lacks ${what}: those that the source has now are used.`;

async function ranSource(ran: RanWith | undefined, present: Configured, store: TestStore): Promise<RanSource> {
  const saved = ran && (await store.component(ran.componentId));
  if (!saved) return { ...present, notes: [asNow("the props, accounts and component of the run")] };
  const { configuredProps, settings, dynamicProps } = ran;
  const source = {
    ...present.source,
    settings,
    ...(configuredProps && { configuredProps }),
  };
  const component = effectiveComponent(saved, configuredProps ? dynamicProps : present.source.dynamicProps);
  const differences = differencesOf({ source, component }, present);
  return {
    source,
    component,
    notes: configuredProps ? differences : [asNow("the props and accounts of the run"), ...differences],
  };
}

/** `$auth` of each app by its stand-ins, and notes on accounts that are gone. */
async function accountsOf({ component, source }: Configured, store: TestStore) {
  const accounts: { [app: string]: Json } = {};
  const gone: string[] = [];
  for (const { name, type, app = "" } of component.shape.props) {
    if (type !== "app") continue;
    const id = accountId(source.configuredProps[name]);
    const account = id === undefined ? undefined : await store.account(id);
    const isOwn = account?.userId === source.userId;
    if (id !== undefined && !isOwn)
      gone.push(`The account ${JSON.stringify(id)} of the run is not stored here: the fields of ${app} are unknown.`);
    accounts[name.includes(".") ? app : name] = isOwn ? standInsFor({ ...account.auth }) : {};
  }
  return { accounts, gone };
}

/** The name of the component's file, as far as it is known. */
async function fileOf({ component, source }: Configured, texts: ExecutionTestParts["texts"]): Promise<string> {
  const { componentUrl } = component;
  const map = JSON.parse((await texts.get(component.texts.sourceMap)) || "{}") as { sources?: readonly string[] };
  const names = [componentUrl && URL.parse(componentUrl)?.pathname, map.sources?.at(-1)];
  const known = names
    .map((name) => basename(name ?? ""))
    .find((name) => /^(?!component\.)[\w.-]+\.[cm]?[jt]s$/.test(name));
  return `./${known ?? `${source.nameSlug}.js`}`;
}

/** The present values of secret props. */
const secretsOf = ({ component, source }: Configured): string[] =>
  component.shape.props.flatMap(({ name, secret }) => {
    const value = secret === true ? source.configuredProps[name] : undefined;
    return typeof value === "string" ? value : [];
  });

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
  const present = await parts.sourceCache.get(execution.sourceId);
  const ran = await ranSource(execution.detail.ranWith, present, parts.store);
  const { source, component } = ran;
  const { accounts, gone } = await accountsOf(ran, parts.store);
  const { detail } = execution;
  const records = await changesSince(id, source.id, userId, parts);
  const { shape } = component;
  return madeTest(run, {
    kind: shape.workflow ? "workflow" : "source",
    name: shape.name,
    ...(shape.dedupe && { dedupe: shape.dedupe }),
    props: shape.props,
    configuredProps: source.configuredProps,
    secrets: secretsOf(present),
    settings: source.settings,
    ids: [source.id, source.deploymentId, component.id],
    endpointKeys: Object.values(source.endpoints),
    dbBefore: dbBefore(
      records ? new Map(present.db) : new Map(),
      (records ?? [detail]).map(({ db }) => db),
    ),
    dataStoresBefore: await dataStoresBefore(ran, detail, records, parts.store),
    accounts,
    file: file ?? (await fileOf(ran, parts.texts)),
    notes: [...ran.notes, ...gone],
  });
}
