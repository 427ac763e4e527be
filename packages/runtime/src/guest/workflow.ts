import { hostOp } from "../sandbox/ops.ts";
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
  /** With it, `props` are values; without, they are the step's own declarations. */
  readonly action?: Action;
}

const { parse, stringify } = JSON;

/** What there is before a step, as copies of its own: what it does to them, no other step sees. Read when it is needed. */
function showSteps(texts: ReadonlyMap<string, string>): object {
  const steps = {};
  for (const [name, text] of texts) {
    const show = (value: unknown): unknown => {
      Object.defineProperty(steps, name, { value, enumerable: true, configurable: true, writable: true });
      return value;
    };
    const get = (): unknown => show(parse(text));
    Object.defineProperty(steps, name, { get, set: show, enumerable: true, configurable: true });
  }
  return steps;
}

/** Members of `all` that belong to a step, by their names within it. */
const own = <T>(all: Readonly<Record<string, T>>, prefix: string): Record<string, T> =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );

/** The call as one step sees it: names of its props stand behind its own name. */
function stepCall(data: CallData, step: string): CallData {
  const prefix = `${step}.`;
  const { props, auth, db } = data.self;
  return {
    ...data,
    self: {
      props: own(props, prefix),
      http: {},
      timers: {},
      db: db.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
      auth: own(auth, prefix),
    },
    db: own(data.db, prefix),
    dbPrefix: prefix,
  };
}

/** Values that are functions of the steps before; one that has nothing to say leaves the default. */
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

/** Runs the steps in order; what each returns and exports is there for those after it. Gives all of it as JSON text. */
export async function runWorkflow(workflow: { steps?: readonly Step[] }, data: CallData): Promise<string> {
  const before = new Map([["trigger", triggerText(data)]]);
  const after = new Map<string, string>();
  const http = data.self.http["http"] ?? { endpoint: "", customResponse: false };
  const { respond } = createHttp("http", http, data.httpProp === "http", "$.respond");
  const ending: Ending = { exited: false };

  for (const step of workflow.steps ?? []) {
    const { name } = step;
    send(hostOp.step, stringify(name));
    const services = createServices(data, { respond, ending, where: `The workflow ended in step ${name}` });
    const action = step.action ?? step;
    const self = createSelf(action, stepCall(data, name)) as Record<string, unknown>;
    const steps = showSteps(before);
    const ended = await services.run(async () => {
      await computeProps(step, self, steps);
      return action.run?.call(self, { steps, $: services.$ });
    }, `The return value of step ${name}`);
    const left = jsonOf(services.exports);
    after.set(name, left);
    if (ended) break;
    before.set(name, left);
  }
  return jsonOf(after);
}

/** Runs an action by itself, as a workflow of one step would. Gives what it returned and exported as JSON text. */
export async function runAction(action: Action, self: object, data: CallData): Promise<string> {
  const steps = showSteps(new Map([["trigger", triggerText(data)]]));
  const { respond } = createHttp("http", { endpoint: "", customResponse: true }, true, "$.respond");
  const services = createServices(data, { respond, ending: { exited: false }, where: "The action ended" });
  await services.run(() => action.run?.call(self, { steps, $: services.$ }), "The return value");
  return jsonOf(services.exports);
}
