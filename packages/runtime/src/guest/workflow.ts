import { hostOp } from "../sandbox/ops.ts";
import { createEmit } from "./emit.ts";
import { log, send } from "./host.ts";
import { writeJson } from "./lost.ts";
import { createHttp } from "./respond.ts";
import { type CallData, createSelf } from "./self.ts";
import { findProblem } from "./serialize.ts";

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

class ExportSerializationError extends TypeError {
  override readonly name = "ExportSerializationError";
}

/** Thrown by `$.flow.exit`, so that nothing after it runs. */
export class FlowExit extends Error {
  override readonly name = "FlowExit";
}

/** The JSON text of what a step leaves; taken at once. */
function exportText(value: unknown, path: string): string {
  let text: string | undefined;
  try {
    text = writeJson(value, path, "value");
  } catch (error) {
    const problem = findProblem(value, path) ?? `${path} cannot be written as JSON: ${(error as Error).message}`;
    throw new ExportSerializationError(problem);
  }
  if (text === undefined) throw new ExportSerializationError(`${path} is a ${typeof value}, which JSON cannot hold`);
  return text;
}

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

const reserved: readonly unknown[] = ["$return_value", "__proto__"];

function readKey(key: unknown): string {
  if (typeof key !== "string" || key === "")
    throw new TypeError(
      `$.export: the key must be a text that is not empty, got ${typeof key === "string" ? '""' : typeof key}`,
    );
  if (reserved.includes(key))
    throw new TypeError(`$.export: the key must not be "${key}", which has a meaning already`);
  return key;
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

/** Runs the steps in order; what each returns and exports is there for those after it. */
export async function runWorkflow(workflow: { steps?: readonly Step[] }, data: CallData): Promise<void> {
  const contextText = exportText(data.workflow?.context, "The context");
  const before = new Map([["trigger", `{"event":${exportText(data.event, "The event")},"context":${contextText}}`]]);
  const http = data.self.http["http"] ?? { endpoint: "", customResponse: false };
  const { respond } = createHttp("http", http, data.httpProp === "http", "$.respond");
  const emit = createEmit(data.emit, data.entry);
  let exited = false;

  for (const step of workflow.steps ?? []) {
    const { name } = step;
    send(hostOp.step, stringify(name));
    const exports = new Map<string, string>();
    const $ = {
      context: parse(contextText) as unknown,
      export(key: unknown, value: unknown): void {
        const known = readKey(key);
        exports.set(known, exportText(value, `$.export("${known}")`));
      },
      send: { emit },
      flow: {
        exit(reason?: unknown): never {
          if (!exited) send(hostOp.exit, "");
          exited = true;
          const why = reason === undefined ? "" : `: ${String(reason)}`;
          log("info", `The workflow ended in step ${name}${why}`, "[]");
          throw new FlowExit("The workflow ends here");
        },
      },
      respond,
    };
    const action = step.action ?? step;
    const self = createSelf(action, stepCall(data, name)) as Record<string, unknown>;
    const steps = showSteps(before);
    try {
      await computeProps(step, self, steps);
      const result: unknown = await action.run?.call(self, { steps, $ });
      if (exited) return;
      if (result !== undefined) exports.set("$return_value", exportText(result, `The return value of step ${name}`));
    } catch (error) {
      if (error instanceof FlowExit) return;
      throw error;
    }
    before.set(name, `{${[...exports].map(([key, text]) => `${stringify(key)}:${text}`).join()}}`);
  }
}
