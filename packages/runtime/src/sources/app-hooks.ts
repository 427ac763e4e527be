import { appPropOf, fixedEventNames, readEventNames, shownValue } from "@x/components";
import {
  pointer,
  XError,
  type AccountIdentity,
  type Component,
  type ComponentWarning,
  type Json,
  type PropShape,
  type Source,
  type SourceAppEvents,
} from "@x/model";
import { accountId } from "@x/accounts";
import { askTraced, type TracedAskParts } from "../invocation/traced-ask.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";

/** Where the events of a user's app arrive. */
export interface AppArrival {
  /** The URL of the user's own endpoint. */
  readonly url: string | null;
  /** Undefined: no event arrives. */
  readonly isSet: boolean;
}

export interface AppHooksParts {
  readonly askParts: TracedAskParts;
  arrivalOf(app: string, userId: string): Promise<AppArrival>;
  /** Of the embedder's accounts. */
  readonly identities: { identify(account: Omit<AccountIdentity, "fields">): Promise<void> } | undefined;
}

/** Says what the apphook props of sources listen to. */
export interface AppHooks {
  /** The source with what it listens to. `cached`: as it is before an update. Rejects with `event_names_failed`. */
  withAppEvents(source: Source, component: Component, cached?: CachedSource): Promise<Source>;
  /** What responses show of the apphook props of a source. */
  shown(source: Source): Promise<{ readonly [prop: string]: Json }>;
  /** Warns of props that get no events yet, and of those whose function named none: they get every event. */
  warnings(source: Source, component: Component): Promise<ComponentWarning[]>;
}

const hooksOf = ({ shape }: Component): PropShape[] => shape.props.filter(({ type }) => type === "$.interface.apphook");

const failed = (prop: PropShape, component: Component, problem: string, details: object = {}): XError =>
  new XError("event_names_failed", [prop.name, component.shape.name, problem], { details: { ...details } });

export function createAppHooks({ askParts, arrivalOf, identities }: AppHooksParts): AppHooks {
  /** Calls the function of a prop. */
  async function ask(prop: PropShape, cached: CachedSource): Promise<readonly string[]> {
    const { component } = cached;
    const question = { entry: "eventNames", event: { prop: prop.name }, given: {} } as const;
    const { error, result, observations } = await askTraced(cached, question, askParts);
    if (error) {
      const { code, name, message, stack } = error;
      throw failed(prop, component, message, { error_code: code, name, stack, observations });
    }
    const value: unknown = result === undefined ? undefined : JSON.parse(result);
    const names = readEventNames(value);
    if (names) return names;
    throw failed(prop, component, `it must return at most 1000 names of 200 characters, got ${shownValue(value)}`);
  }

  return {
    async withAppEvents({ appEvents: known = {}, ...source }, component, before) {
      const found: { [prop: string]: SourceAppEvents } = {};
      const cached: CachedSource = before
        ? { ...before, source: { ...source, appEvents: known }, component }
        : { source, component, dedupe: {}, heads: {}, db: new Map(), untrimmed: new Map() };
      for (const prop of hooksOf(component)) {
        const appProp = appPropOf(component.shape.props, prop);
        if (appProp?.app === undefined) continue;
        const kept = Object.hasOwn(known, prop.name) ? known[prop.name]?.names : undefined;
        // A source whose function fails can still be paused.
        const isKept = !source.active && before?.component.id === component.id && kept !== undefined;
        const names = fixedEventNames(prop) ?? (isKept ? kept : await ask(prop, cached));
        const id = accountId(source.configuredProps[appProp.name]);
        if (id !== undefined) await identities?.identify({ accountId: id, app: appProp.app, userId: source.userId });
        const listens = { app: appProp.app, appProp: appProp.name, names, ...(id !== undefined && { accountId: id }) };
        found[prop.name] = listens;
      }
      return Object.keys(found).length === 0 ? source : { ...source, appEvents: found };
    },
    async shown({ appEvents = {}, userId }) {
      const shown = Object.entries(appEvents).map(async ([prop, { app, names }]): Promise<[string, Json]> => {
        const { url } = await arrivalOf(app, userId);
        return [prop, { event_names: [...names], endpoint_url: url }];
      });
      return Object.fromEntries(await Promise.all(shown));
    },
    async warnings({ appEvents = {}, userId }, component) {
      const warnings: ComponentWarning[] = [];
      for (const [prop, { app, names }] of Object.entries(appEvents)) {
        const path = pointer("props", prop);
        const { isSet } = await arrivalOf(app, userId);
        if (!isSet)
          warnings.push({
            rule: "no-app-endpoint",
            path,
            message: `${prop} gets no events yet: x apps endpoint ${app}`,
          });
        const declared = component.shape.props.find(({ name }) => name === prop);
        const isFunction = declared !== undefined && fixedEventNames(declared) === undefined;
        if (isFunction && names.length === 0) {
          const message = `eventNames of prop "${prop}" named no events, so it gets every event of its account`;
          warnings.push({ rule: "every-app-event", path, message });
        }
      }
      return warnings;
    },
  };
}
