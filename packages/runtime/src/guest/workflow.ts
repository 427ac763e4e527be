import { hostOp } from "../sandbox/ops.ts";
import { createEmit } from "./emit.ts";
import { log, send } from "./host.ts";
import { createHttp } from "./respond.ts";
import { type CallData, createSelf } from "./self.ts";
import { findProblem } from "./serialize.ts";

/** What a run of a workflow is told about itself. */
export interface WorkflowData {
  readonly context: unknown;
}

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
class FlowExit extends Error {
  override readonly name = "FlowExit";
}

/** A copy that is nothing but JSON: what later steps get does not change any more. */
function copyExport(value: unknown, path: string): unknown {
  let text: string | undefined;
  try {
    text = stringify(value);
  } catch (error) {
    const problem = findProblem(value, path) ?? `${path} cannot be written as JSON: ${(error as Error).message}`;
    throw new ExportSerializationError(problem);
  }
  if (text === undefined) throw new ExportSerializationError(`${path} is a ${typeof value}, which JSON cannot hold`);
  return parse(text) as unknown;
}

/** Members of `all` that belong to a step, by their names within it. */
function own<T>(all: Readonly<Record<string, T>>, prefix: string): Record<string, T> {
  const found: Record<string, T> = {};
  for (const name of Object.keys(all)) {
    if (name.startsWith(prefix)) found[name.slice(prefix.length)] = all[name] as T;
  }
  return found;
}

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
  const context = data.workflow?.context;
  const steps: Record<string, Record<string, unknown>> = { trigger: { event: data.event, context } };
  const http = data.self.http["http"] ?? { endpoint: "", customResponse: false };
  const { respond } = createHttp("http", http, data.httpProp === "http", "$.respond");
  const emit = createEmit(data.emit, data.entry);
  let exited = false;

  for (const step of workflow.steps ?? []) {
    const { name } = step;
    send(hostOp.step, stringify(name));
    const exports: Record<string, unknown> = {};
    const take = (key: string, value: unknown, path: string): void => {
      exports[key] = copyExport(value, path);
    };
    const $ = {
      context,
      export(key: unknown, value: unknown): void {
        if (typeof key !== "string" || key === "" || key === "$return_value" || key === "__proto__") {
          throw new TypeError(`$.export: the key must be a text that is not empty, got ${String(key)}`);
        }
        take(key, value, `$.export("${key}")`);
      },
      send: { emit },
      flow: {
        exit(reason?: unknown): never {
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
    try {
      await computeProps(step, self, steps);
      const result: unknown = await action.run?.call(self, { steps, $ });
      if (exited) return;
      if (result !== undefined) take("$return_value", result, `The return value of step ${name}`);
    } catch (error) {
      if (error instanceof FlowExit) return;
      throw error;
    }
    steps[name] = exports;
  }
}
