import { hostOp } from "../ops.ts";
import { send } from "./host.ts";
import { createHttp } from "./respond.ts";
import { type CallData, createSelf } from "./self.ts";
import { createServices, type Ending, exportText } from "./services.ts";

type Method = (...args: unknown[]) => unknown;
interface Action {
  readonly run?: Method;
  readonly methods?: Record<string, unknown>;
  readonly props?: Record<string, unknown>;
}
interface Step extends Action {
  readonly name: string;
  /** With an action `props` are values, otherwise the step's own declarations. */
  readonly action?: Action;
}

const { parse, stringify } = JSON;

/** `steps` for one step: exports of earlier steps, as copies that are parsed at their first use. */
function copySteps(texts: ReadonlyMap<string, string>): object {
  const steps = {};
  for (const [name, text] of texts) {
    const define = (value: unknown): unknown => {
      Object.defineProperty(steps, name, { value, enumerable: true, configurable: true, writable: true });
      return value;
    };
    const get = (): unknown => define(parse(text));
    Object.defineProperty(steps, name, { get, set: define, enumerable: true, configurable: true });
  }
  return steps;
}

/** The members of a step, by their names without its prefix. */
const own = <T>(all: Readonly<Record<string, T>>, prefix: string): Record<string, T> =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );

/** The call for one step: its own props, accounts and db keys, without the step's prefix. */
function stepCall(data: CallData, step: string): CallData {
  const prefix = `${step}.`;
  const { props, auth, db, dataStores = {} } = data.self;
  return {
    ...data,
    self: {
      props: own(props, prefix),
      http: {},
      timers: {},
      db: db.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
      dataStores: own(dataStores, prefix),
      auth: own(auth, prefix),
    },
    db: own(data.db, prefix),
    dbPrefix: prefix,
  };
}

/** Computes props that are functions of the earlier steps; undefined leaves the default. */
async function computeProps(step: Step, self: Record<string, unknown>, steps: object): Promise<void> {
  const given = step.action ? (step.props ?? {}) : {};
  for (const name of Object.keys(given)) {
    const compute = given[name];
    if (typeof compute !== "function") continue;
    const value: unknown = await (compute as Method)({ steps });
    if (value !== undefined) self[name] = value;
  }
}

const triggerText = (data: CallData): string =>
  `{"event":${exportText(data.event, "The event")},"context":${exportText(data.workflow?.context, "The context")}}`;

const jsonOf = (exports: ReadonlyMap<string, string>): string =>
  `{${[...exports].map(([key, text]) => `${stringify(key)}:${text}`).join()}}`;

/** Runs the steps in order; each sees the exports of the earlier ones. Returns all exports as JSON text. */
export async function runWorkflow(workflow: { steps?: readonly Step[] }, data: CallData): Promise<string> {
  const visible = new Map([["trigger", triggerText(data)]]);
  const results = new Map<string, string>();
  const http = data.self.http["http"] ?? { endpoint: "", customResponse: false };
  const { respond } = createHttp("http", http, data.httpProp === "http", "$.respond");
  const ending: Ending = { exited: false };

  for (const step of workflow.steps ?? []) {
    const { name } = step;
    send(hostOp.step, stringify(name));
    const services = createServices(data, { respond, ending, where: `The workflow ended in step ${name}` });
    const action = step.action ?? step;
    const self = createSelf(action, stepCall(data, name)) as Record<string, unknown>;
    const steps = copySteps(visible);
    const ended = await services.run(async () => {
      await computeProps(step, self, steps);
      return action.run?.call(self, { steps, $: services.$ });
    }, `The return value of step ${name}`);
    const exported = jsonOf(services.exports);
    results.set(name, exported);
    if (ended) break;
    visible.set(name, exported);
  }
  return jsonOf(results);
}

/** Runs an action as a workflow of one step. Returns its exports as JSON text. */
export async function runAction(action: Action, self: object, data: CallData): Promise<string> {
  const steps = copySteps(new Map([["trigger", triggerText(data)]]));
  const { respond } = createHttp("http", { endpoint: "", customResponse: true }, true, "$.respond");
  const services = createServices(data, { respond, ending: { exited: false }, where: "The action ended" });
  await services.run(() => action.run?.call(self, { steps, $: services.$ }), "The return value");
  return jsonOf(services.exports);
}
