import { XError, pointer, type ComponentShape, type Json, type Problem, type PropShape } from "@x/model";
import {
  fewProblems,
  findDeclaredName,
  isFunction,
  isRecord,
  namedExports,
  propKind,
  propShape,
  propsBounds,
  shownValue,
  summary,
  type WorkflowHead,
  withoutDefault,
} from "@x/components";
import { parseTrigger, unknownMembers } from "./workflow-trigger.ts";

/** The parsed description of a workflow. */
export interface ParsedWorkflow {
  readonly id?: string;
  readonly shape: ComponentShape;
  /** Literal values by `<step>.<prop>`, not checked yet. */
  readonly values: { readonly [prop: string]: Json };
  /** By step: the path of its values in what the author wrote. */
  readonly valuePaths: ReadonlyMap<string, string>;
}

type Given = { readonly [member: string]: unknown };

const maxSteps = 100;
const workflowId = /^p_[A-Za-z0-9]{4,40}$/;
const stepName = /^[A-Za-z_][A-Za-z0-9_]{0,59}$/;
/** The members of a step that refers to an action. */
const stepMembers = ["name", "action", "props"];
const reserved = new Set(["trigger", "__proto__"]);

/** An `invalid_workflow` with all problems in `details.errors`, and the first few in the message. */
export function invalidWorkflow(
  name: string,
  problems: readonly Problem[],
  details: { readonly [detail: string]: unknown } = {},
): XError<"invalid_workflow"> {
  return new XError("invalid_workflow", [name, summary(problems)], { details: { errors: problems, ...details } });
}

const member = (value: Given, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);

/** Reads the steps of one workflow; collects their props, values and problems. */
class Reader {
  readonly problems: Problem[] = [];
  readonly props: PropShape[] = [];
  readonly names: string[] = [];
  readonly values = new Map<string, Json>();
  readonly valuePaths = new Map<string, string>();

  steps(steps: unknown): void {
    if (!Array.isArray(steps) || steps.length === 0 || steps.length > maxSteps) {
      const got = Array.isArray(steps) ? `${steps.length}` : shownValue(steps);
      this.problems.push({ path: "/steps", message: `steps must be a list of 1 to ${maxSteps} steps, got ${got}` });
      return;
    }
    for (const [index, step] of steps.entries()) this.#step(step, pointer("steps", index), index);
  }

  #step(step: unknown, path: string, index: number): void {
    if (!isRecord(step) || isFunction(step)) {
      const expected = 'an action { type: "action", name, run }, or { name, action, props }';
      this.problems.push({ path, message: `Step ${index} must be ${expected}, got ${shownValue(step)}` });
      return;
    }
    const name = this.#name(member(step, "name"), `${path}/name`, index);
    const referred = member(step, "action");
    const action = referred === undefined ? step : referred;
    const actionPath = referred === undefined ? path : `${path}/action`;
    const label = name ?? String(index);
    if (referred !== undefined) this.problems.push(...unknownMembers(step, stepMembers, `step ${label}`, path));
    if (!isRecord(action) || isFunction(action)) {
      this.problems.push({
        path: actionPath,
        message: `action of step ${label} must be an object, got ${shownValue(action)}`,
      });
      return;
    }
    const type = member(action, "type");
    if (type !== undefined && type !== "action") {
      const message = `type of step ${label} must be "action", got ${shownValue(type)}`;
      this.problems.push({ path: `${actionPath}/type`, message });
    }
    const run = member(action, "run");
    if (!isFunction(run)) {
      const message = `run of step ${label} must be a function, got ${shownValue(run)}`;
      this.problems.push({ path: `${actionPath}/run`, message });
    }
    const declared = this.#declared(member(action, "props"), actionPath, label);
    const given = referred === undefined ? {} : this.#given(member(step, "props"), `${path}/props`, label);
    if (name === undefined) return;
    this.valuePaths.set(name, `${path}/props`);
    this.#take(name, declared, given, `${path}/props`);
  }

  #name(name: unknown, path: string, index: number): string | undefined {
    let message: string | undefined;
    if (typeof name !== "string" || !stepName.test(name)) {
      const rule = "letters, digits and underscores, at most 60, no digit first";
      message = `name of step ${index} must be an identifier (${rule}), got ${shownValue(name)}`;
    } else if (reserved.has(name)) message = `name of step ${index} must not be "${name}", which has a meaning already`;
    else if (this.names.includes(name)) message = `name of step ${index} must be unique, got "${name}" again`;
    else {
      this.names.push(name);
      return name;
    }
    this.problems.push({ path, message });
    return undefined;
  }

  #declared(props: unknown, actionPath: string, label: string): PropShape[] {
    if (props === undefined) return [];
    if (!isRecord(props) || isFunction(props)) {
      const message = `props of step ${label} must be an object, got ${shownValue(props)}`;
      this.problems.push({ path: `${actionPath}/props`, message });
      return [];
    }
    const shapes: PropShape[] = [];
    for (const [name, prop] of Object.entries(props)) {
      const found: Problem[] = [];
      const shape = propShape(name, prop, found);
      this.problems.push(...found.map((problem) => ({ ...problem, path: actionPath + problem.path })));
      if (!shape) continue;
      const kind = propKind(shape.type);
      if (kind === "http" || kind === "timer") {
        const message = `Prop "${name}" of step ${label} cannot be of type ${shape.type}: what triggers a workflow is its trigger`;
        this.problems.push({ path: `${actionPath}${pointer("props", name)}/type`, message });
      } else shapes.push(shape);
    }
    return shapes;
  }

  #given(props: unknown, path: string, label: string): Given {
    if (props === undefined) return {};
    if (isRecord(props) && !isFunction(props)) return props;
    this.problems.push({ path, message: `props of step ${label} must be an object, got ${shownValue(props)}` });
    return {};
  }

  /** Adds the props of a step, and the literal values; a prop with a function as value becomes optional. */
  #take(step: string, declared: readonly PropShape[], given: Given, path: string): void {
    const computed = new Set<string>();
    for (const [name, value] of Object.entries(given)) {
      const shape = declared.find((prop) => prop.name === name);
      if (!isFunction(value)) this.values.set(`${step}.${name}`, value as Json);
      else if (shape && takesComputed(shape)) computed.add(name);
      else {
        const message = shape
          ? `Prop "${name}" of step ${step} cannot be a function`
          : `Step ${step} has no prop "${name.slice(0, 60)}"`;
        this.problems.push({ path: path + pointer(name), message });
      }
    }
    for (const prop of declared) {
      const optional = computed.has(prop.name) ? { optional: true } : {};
      this.props.push({ ...prop, ...optional, name: `${step}.${prop.name}` });
    }
  }
}

/** True for a prop whose value may be computed when its step begins: what a data store holds is prepared before. */
const takesComputed = ({ type, static: fixed }: PropShape): boolean =>
  propKind(type) === "value" && type !== "data_store" && fixed === undefined;

function checkHead(id: unknown, name: unknown): Problem[] {
  const problems: Problem[] = [];
  if (typeof name !== "string" || name === "" || name.length > 256)
    problems.push({ path: "/name", message: `name must be a text of 1 to 256 characters, got ${shownValue(name)}` });
  if (id !== undefined && (typeof id !== "string" || !workflowId.test(id)))
    problems.push({ path: "/id", message: `id must be p_ and 4 to 40 letters or digits, got ${shownValue(id)}` });
  return problems;
}

/**
 * Parses the description of a workflow's module; undefined when a handler of the program runs it. Values of the head
 * override those of the module. Throws `invalid_workflow` with every problem and its path.
 */
export function parseWorkflow(described: unknown, head: WorkflowHead, fallbackName: string): ParsedWorkflow {
  const module = isRecord(described) && !isFunction(described) ? described : undefined;
  const declared = (name: string): unknown => module && member(module, name);
  const exports = namedExports(described);
  if (exports) throw invalidWorkflow(head.name ?? fallbackName, [withoutDefault(exports, "a workflow")]);
  const reader = new Reader();
  const { problems } = reader;
  const id = head.id ?? declared("id");
  const name = head.name ?? declared("name");
  if (described !== undefined && !module) {
    const message = `The module must export one workflow (export default defineWorkflow({…})), got ${shownValue(described)}`;
    throw invalidWorkflow(head.name ?? fallbackName, [{ path: "", message }]);
  }
  problems.push(...checkHead(id, name));
  const trigger = parseTrigger(head.trigger ?? declared("trigger"), problems);
  if (module) reader.steps(member(module, "steps"));
  problems.push(...propsBounds(reader.props));
  if (problems.length > 0) {
    throw invalidWorkflow(head.name ?? findDeclaredName(described) ?? fallbackName, fewProblems(problems));
  }
  const shape: ComponentShape = {
    name: String(name),
    version: "",
    props: [...trigger.props, ...reader.props],
    hooks: [],
    workflow: { steps: reader.names, ...(trigger.subscription && { trigger: trigger.subscription }) },
  };
  return {
    ...(typeof id === "string" && { id }),
    shape,
    values: Object.fromEntries(reader.values),
    valuePaths: reader.valuePaths,
  };
}
