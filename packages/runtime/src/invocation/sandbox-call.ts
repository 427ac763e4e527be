import { accountId, type CredentialsRequest } from "@x/accounts";
import { fixedEventNames, type PropsRules } from "@x/components";
import { XError, type Component, type Json, type Limits, type PropShape, type Source, type TimerValue } from "@x/model";
import type { CachedSource } from "./lane/source-cache.ts";
import type { Entry, SandboxCall, SelfData } from "@x/sandbox";
import type { DataStoreReads } from "@x/store";

export interface CallRules {
  /** A text of a component by its hash. */
  text(hash: string): string | Promise<string>;
  readonly props: PropsRules;
  readonly limits: Limits;
  /** `$auth` of an app prop; undefined when there is no such account. */
  credentials(request: CredentialsRequest): Promise<Json | undefined>;
  endpointUrl(key: string): string;
  readonly store: DataStoreReads;
  keepsIntegers(source: Pick<CachedSource, "source" | "component">): boolean;
}

export interface EntryInput {
  readonly entry: Entry;
  /** JSON text; empty for hooks. */
  readonly event: string;
  readonly httpProp?: string;
}

const isTimer = (value: Json | undefined): value is Json & TimerValue =>
  typeof value === "object" && value !== null && "interval_seconds" in value;

/** `this.<timer>`: the interface type with its schedule. */
function timerObject(value: Json | undefined): Json {
  if (!isTimer(value)) return { type: "$.interface.timer" };
  const { cron, interval_seconds, timezone } = value;
  return cron === null
    ? { type: "$.interface.timer", intervalSeconds: interval_seconds }
    : { type: "$.interface.timer", cron, ...(timezone === undefined ? {} : { timezone }) };
}

/** Entries whose events would have no listener. */
const emitless: readonly Entry[] = ["deactivate", "options", "additionalProps", "eventNames"];

const eventNamesTimeoutMs = 5_000;

function timeoutOf(entry: Entry, { settings }: Source, limits: Limits): number {
  if (entry === "eventNames") return eventNamesTimeoutMs;
  if (entry === "run") return settings.runTimeoutMs ?? limits.runTimeoutMs;
  return entry === "options" || entry === "additionalProps" ? limits.optionsTimeoutMs : limits.hookTimeoutMs;
}

/** Empty before the source has the endpoint. */
function endpointOf({ endpoints }: Source, prop: string, rules: CallRules): string {
  const key = Object.hasOwn(endpoints, prop) ? endpoints[prop] : undefined;
  return key === undefined ? "" : rules.endpointUrl(key);
}

const namesOf = (component: Component, type: string): PropShape[] =>
  component.shape.props.filter((prop) => prop.type === type);

/** True when the credentials of a component are not available; the component is not called then. */
export const isAccountError = ({ code }: XError): boolean =>
  code === "account_missing" || code === "account_failed" || code === "account_disconnected";

async function readAuth(
  credentials: CallRules["credentials"],
  component: Component,
  source: Source,
): Promise<SelfData["auth"]> {
  const auth: [string, Json][] = [];
  for (const prop of namesOf(component, "app")) {
    const id = accountId(source.configuredProps[prop.name]);
    if (id === undefined || prop.app === undefined) continue;
    const found = await credentials({ app: prop.app, id, userId: source.userId });
    if (found === undefined) throw new XError("account_missing", [id, prop.name, prop.app]);
    auth.push([prop.name, found]);
  }
  return Object.fromEntries(auth);
}

/** Everything the sandbox needs to call one entry of a source. Rejects with the account errors. */
export async function sandboxCallFor(cached: CachedSource, input: EntryInput, rules: CallRules): Promise<SandboxCall> {
  const { source, component } = cached;
  const { shape } = component;
  const limits = {
    timeoutMs: timeoutOf(input.entry, source, rules.limits),
    memoryBytes: source.settings.memoryBytes ?? rules.limits.memoryBytes,
  };
  const values = rules.props.values(shape, source.configuredProps);
  const http = namesOf(component, "$.interface.http").map((prop) => [
    prop.name,
    { endpoint: endpointOf(source, prop.name, rules), customResponse: prop.customResponse === true },
  ]);
  const timers = namesOf(component, "$.interface.timer").map((prop) => [
    prop.name,
    timerObject(source.configuredProps[prop.name]),
  ]);
  const appHooks = namesOf(component, "$.interface.apphook").map((prop): [string, Json] => [
    prop.name,
    {
      type: prop.type,
      appProp: prop["appProp"] ?? "",
      eventNames: [...(source.appEvents?.[prop.name]?.names ?? fixedEventNames(prop) ?? [])],
    },
  ]);
  const dataStores = namesOf(component, "data_store").flatMap(({ name }): [string, string][] => {
    const value = values[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return {
    sourceId: source.id,
    userId: source.userId,
    bundle: { hash: component.texts.bundle, code: await rules.text(component.texts.bundle) },
    entry: input.entry,
    self: {
      props: values,
      http: Object.fromEntries(http) as SelfData["http"],
      timers: Object.fromEntries(timers) as SelfData["timers"],
      ...(appHooks.length > 0 && { appHooks: Object.fromEntries(appHooks) }),
      ...(dataStores.length > 0 && { dataStores: Object.fromEntries(dataStores) }),
      db: namesOf(component, "$.service.db").map((prop) => prop.name),
      auth: await readAuth(rules.credentials, component, source),
    },
    db: cached.db,
    event: input.event,
    dedupe: shape.dedupe,
    emit: emitless.includes(input.entry) ? "error" : input.entry === "deploy" ? source.emitOnDeploy : true,
    ...(input.httpProp === undefined ? {} : { httpProp: input.httpProp }),
    limits,
    warm: source.settings.warm ?? false,
    ...(rules.keepsIntegers(cached) && { exactIntegers: true }),
  };
}
