import type { PropsRules } from "./component/contract.ts";
import type { Component, Json, PropShape, Source, TimerValue } from "./model.ts";
import type { AccountsCallback, Limits } from "./options.ts";
import type { Resident } from "./residents.ts";
import type { Entry, SandboxCall, SelfData } from "./sandbox/contract.ts";

export interface OrderRules {
  readonly props: PropsRules;
  readonly limits: Limits;
  readonly accounts: AccountsCallback | undefined;
  endpointUrl(key: string): string;
}

export interface EntryOrder {
  readonly entry: Entry;
  /** JSON text; empty for hooks. */
  readonly event: string;
  readonly httpProp?: string;
}

const isTimer = (value: Json | undefined): value is Json & TimerValue =>
  typeof value === "object" && value !== null && "interval_seconds" in value;

/** `this.<timer>`: the interface type with its schedule (R056, 4.7). */
function timerObject(value: Json | undefined): Json {
  if (!isTimer(value)) return { type: "$.interface.timer" };
  const { cron, interval_seconds, timezone } = value;
  return cron === null
    ? { type: "$.interface.timer", intervalSeconds: interval_seconds }
    : { type: "$.interface.timer", cron, ...(timezone === undefined ? {} : { timezone }) };
}

const namesOf = (component: Component, type: string): PropShape[] =>
  component.shape.props.filter((prop) => prop.type === type);

async function readAuth(
  accounts: AccountsCallback | undefined,
  component: Component,
  source: Source,
): Promise<SelfData["auth"]> {
  const auth: [string, Json][] = [];
  for (const prop of namesOf(component, "app")) {
    const value = source.configuredProps[prop.name];
    const id =
      typeof value === "object" && value !== null && !Array.isArray(value) ? value["authProvisionId"] : undefined;
    if (typeof id !== "string" || prop.app === undefined) continue;
    auth.push([prop.name, ((await accounts?.({ app: prop.app, id })) ?? {}) as Json]);
  }
  return Object.fromEntries(auth);
}

/** Everything the sandbox needs to call one entry of a source. */
export async function callOrder(resident: Resident, order: EntryOrder, rules: OrderRules): Promise<SandboxCall> {
  const { source, component } = resident;
  const { shape } = component;
  const limits = {
    timeoutMs:
      order.entry === "run" ? (source.settings.runTimeoutMs ?? rules.limits.runTimeoutMs) : rules.limits.hookTimeoutMs,
    memoryBytes: source.settings.memoryBytes ?? rules.limits.memoryBytes,
  };
  const values = rules.props.values(shape, source.configuredProps);
  const http = namesOf(component, "$.interface.http").map((prop) => [
    prop.name,
    { endpoint: rules.endpointUrl(source.endpoints[prop.name] ?? ""), customResponse: prop.customResponse === true },
  ]);
  const timers = namesOf(component, "$.interface.timer").map((prop) => [
    prop.name,
    timerObject(source.configuredProps[prop.name]),
  ]);
  return {
    sourceId: source.id,
    bundle: { hash: resident.bundleHash, code: component.bundle },
    entry: order.entry,
    self: {
      props: values,
      http: Object.fromEntries(http) as SelfData["http"],
      timers: Object.fromEntries(timers) as SelfData["timers"],
      db: namesOf(component, "$.service.db").map((prop) => prop.name),
      auth: await readAuth(rules.accounts, component, source),
    },
    db: resident.db,
    event: order.event,
    dedupe: shape.dedupe,
    emit: order.entry === "deactivate" ? "error" : order.entry === "deploy" ? source.emitOnDeploy : true,
    ...(order.httpProp === undefined ? {} : { httpProp: order.httpProp }),
    limits,
    warm: source.settings.warm ?? false,
  };
}
