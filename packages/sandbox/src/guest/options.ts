import { describe, describeProps, isFields, member } from "./describe.ts";
import { findProblem } from "./json-text.ts";
import { type AppDefinition, type CallData, createAppInstance, isApp } from "./self.ts";

type Values = Record<string, unknown>;
type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The members of a component that provide options and dynamic props. */
export interface Answering {
  readonly props?: Values;
  readonly additionalProps?: unknown;
}

/** A request for options or dynamic props: the event of the call. */
interface OptionsRequest {
  readonly prop: string;
  readonly page: number;
  readonly prevContext: unknown;
  readonly query?: string;
  /** Whether `additionalProps` defines the prop. */
  readonly dynamic?: boolean;
  /** Definitions by name that `additionalProps` can read and change. */
  readonly previous?: Values;
}

interface Found {
  readonly options: unknown;
  /** The app whose prop definition has the options; undefined when the prop has its own. */
  readonly app: AppDefinition | undefined;
  readonly inputs: Values;
}

const { stringify } = JSON;
const deepest = 8;

async function readInputs(inputs: unknown, values: Values): Promise<Values> {
  const given: unknown = typeof inputs === "function" ? await (inputs as Method)(values) : inputs;
  return isFields(given) ? given : {};
}

/** The options of a prop: its own, otherwise those of the definition that it refers to, with all inputs. */
async function findOptions(start: unknown, values: Values): Promise<Found | undefined> {
  let definition = start;
  let app: AppDefinition | undefined;
  let inputs: Values = {};
  for (let depth = 0; depth <= deepest && isFields(definition); depth++) {
    const { options, propDefinition } = definition;
    // Options that are given as undefined take the inherited ones away.
    if (Object.hasOwn(definition, "options"))
      return options === undefined || options === null ? undefined : { options, app, inputs };
    if (!Array.isArray(propDefinition)) return undefined;
    const [next, name, given] = propDefinition as unknown[];
    // Inputs of an outer reference are arguments of the inner one.
    inputs = { ...inputs, ...(await readInputs(given, { ...values, ...inputs })) };
    app = next as AppDefinition;
    definition = member(member(next, "propDefinitions"), String(name));
  }
  return undefined;
}

/** The app with the credentials of its prop: that of the same object, otherwise of the same slug. */
function appInstance(app: AppDefinition, definitions: Values, auth: Values): object {
  const names = Object.keys(definitions);
  const same = names.filter((name) => definitions[name] === app);
  const alike = names.filter((name) => {
    const definition = definitions[name];
    return isApp(definition) && definition.app === app.app;
  });
  const holder = [...same, ...alike].find((name) => auth[name] !== undefined);
  return createAppInstance(app, holder === undefined ? undefined : auth[holder]);
}

function resultText(value: unknown, entry: string): string | undefined {
  if (value === undefined) return undefined;
  let text: string | undefined;
  try {
    text = stringify(value);
  } catch (error) {
    const problem = findProblem(value, `The result of ${entry}`);
    throw new TypeError(problem ?? `The result of ${entry} cannot be written as JSON`, { cause: error });
  }
  if (text === undefined) throw new TypeError(`The result of ${entry} is a ${typeof value}, which JSON cannot hold`);
  return text;
}

/** The props of `additionalProps`, and the given definitions that it changed. */
async function runAdditionalProps(component: Answering, self: object, previous: Values): Promise<unknown> {
  if (typeof component.additionalProps !== "function") return {};
  const before = Object.keys(previous).map((name) => [name, stringify(previous[name])] as const);
  const returned: unknown = await (component.additionalProps as Method).call(self, previous);
  if (returned !== undefined && returned !== null && !isFields(returned)) return returned;
  const changed = before.filter(([name, text]) => name in previous && stringify(previous[name]) !== text);
  return { ...Object.fromEntries(changed.map(([name]) => [name, previous[name]])), ...returned };
}

/** The choices of a prop as JSON text; undefined for undefined. */
async function answerOptions(component: Answering, self: object, call: CallData): Promise<string | undefined> {
  const { prop, page, prevContext, query, dynamic, previous } = call.event as OptionsRequest;
  const added = dynamic === true ? await runAdditionalProps(component, self, previous ?? {}) : {};
  const values = call.self.props;
  const found =
    (await findOptions(member(added, prop), values)) ?? (await findOptions(member(component.props, prop), values));
  if (!found) throw new Error(`Prop "${prop}" has no options`);
  const { options, app, inputs } = found;
  if (typeof options !== "function") return resultText(options, "options");
  const definitions = { ...component.props, ...(isFields(added) ? added : {}) };
  const target = app ? appInstance(app, definitions, call.self.auth) : self;
  const argument = { ...inputs, page, prevContext, ...(query === undefined ? {} : { query }) };
  return resultText(await (options as Method).call(target, argument), "options");
}

/** The props that `additionalProps` adds, described like those of a component. */
async function answerAdditionalProps(component: Answering, self: object, call: CallData): Promise<string> {
  const { previous } = call.event as OptionsRequest;
  const added = await runAdditionalProps(component, self, previous ?? {});
  if (!isFields(added)) return describe(added);
  return describeProps(added);
}

/** The names of the events that an apphook prop listens to. */
async function answerEventNames(component: Answering, self: object, call: CallData): Promise<string | undefined> {
  const { prop } = call.event as OptionsRequest;
  let definition = member(component.props, prop);
  for (let depth = 0; depth <= deepest && isFields(definition); depth++) {
    const { eventNames, propDefinition } = definition;
    if (eventNames !== undefined)
      return resultText(
        typeof eventNames === "function" ? await (eventNames as Method).call(self) : eventNames,
        "eventNames",
      );
    if (!Array.isArray(propDefinition)) return undefined;
    const [app, name] = propDefinition as unknown[];
    definition = member(member(app, "propDefinitions"), String(name));
  }
  return undefined;
}

type Answer = (component: Answering, self: object, call: CallData) => Promise<string | undefined>;

/** The function that answers an entry with JSON text; undefined for entries without a result. */
export function findAnswer(entry: string): Answer | undefined {
  if (entry === "options") return answerOptions;
  if (entry === "eventNames") return answerEventNames;
  return entry === "additionalProps" ? answerAdditionalProps : undefined;
}
