import { beginValues, createDatabase } from "./database.ts";
import { createDataStore } from "./data-store.ts";
import { createEmit, type EmitMode } from "./emit.ts";
import { createHttpRequest } from "./http-request.ts";
import { createHttp } from "./respond.ts";

export interface CallData {
  readonly entry: string;
  readonly self: {
    readonly props: Record<string, unknown>;
    readonly http: Record<string, { endpoint: string; customResponse: boolean }>;
    readonly timers: Record<string, unknown>;
    readonly appHooks?: Record<string, { eventNames: readonly string[] }>;
    readonly db: readonly string[];
    readonly dataStores?: Record<string, string>;
    readonly auth: Record<string, unknown>;
  };
  readonly db: Record<string, string>;
  /** The strategy; absent without one. */
  readonly dedupe?: string;
  readonly emit: EmitMode;
  /** Integers beyond 2^53 in JSON bodies are read as texts. */
  readonly exactIntegers?: boolean;
  readonly httpProp?: string;
  readonly seed: [number, number];
  /** Fixed time of the clock in epoch ms; absent: the clock follows the system. */
  readonly now?: number;
  readonly event?: unknown;
  /** Present when the steps of a workflow run. */
  readonly workflow?: { readonly context: unknown };
  /** Prefix of every db key, and of every prop, of the running step. */
  readonly dbPrefix?: string;
}

/** Entries that must not write to the db. */
const readers: readonly string[] = ["options", "additionalProps", "eventNames"];

type Methods = Record<string, unknown>;
export type AppDefinition = { type?: unknown; app?: unknown; methods?: Methods };

/** Binds methods, so that they work as values (`list.forEach(this.emitEvent)`). */
function bindMethods(target: Record<string, unknown>, methods: Methods | undefined): void {
  if (typeof methods !== "object" || methods === null) return;
  for (const name of Object.keys(methods)) {
    const value = methods[name];
    target[name] = typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
  }
}

/** An app with bound methods and its credentials. */
export function createAppInstance(definition: AppDefinition, auth: unknown): object {
  const app: Record<string, unknown> = { ...definition };
  bindMethods(app, definition.methods);
  app["$auth"] = auth ?? {};
  return app;
}

/** True when a definition is an app. */
export const isApp = (definition: unknown): definition is AppDefinition =>
  typeof definition === "object" && definition !== null && typeof (definition as AppDefinition).app === "string";

const typeOf = (prop: unknown): unknown =>
  typeof prop === "object" && prop !== null ? (prop as { type?: unknown }).type : prop;

/** The component's `this`: props, bound methods, interfaces, db and `$emit`. */
export function createSelf(component: { methods?: Methods; props?: Record<string, unknown> }, call: CallData): object {
  const self: Record<string, unknown> = {};
  bindMethods(self, component.methods);
  const { props, http, timers, appHooks = {}, db, dataStores = {}, auth } = call.self;
  for (const name of Object.keys(props)) {
    const isRequest = typeOf(component.props?.[name]) === "http_request";
    self[name] = isRequest ? createHttpRequest(props[name]) : props[name];
  }
  for (const name of Object.keys(component.props ?? {})) {
    const definition = component.props?.[name];
    if (isApp(definition)) self[name] = createAppInstance(definition, auth[name]);
  }
  // Apps of additionalProps have no definition here, only an account.
  for (const name of Object.keys(auth)) self[name] ??= createAppInstance({}, auth[name]);
  for (const name of Object.keys(timers)) self[name] = timers[name];
  for (const [name, hook] of Object.entries(appHooks)) {
    Object.freeze(hook.eventNames);
    self[name] = Object.freeze(hook);
  }
  for (const [name, prop] of Object.entries(http)) self[name] = createHttp(name, prop, call.httpProp === name);
  const values = beginValues(call.db);
  const reader = readers.includes(call.entry) ? call.entry : undefined;
  for (const name of Object.keys(dataStores)) self[name] = createDataStore((call.dbPrefix ?? "") + name, reader);
  for (const name of db) self[name] = createDatabase(values, reader, call.dbPrefix);
  Object.defineProperty(self, "$emit", { value: createEmit(call), enumerable: false });
  return self;
}
