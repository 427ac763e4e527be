import type { ComponentReference, WorkflowCode, WorkflowPart } from "@x/components";
import { XError, type ComponentTexts, type Problem } from "@x/model";
import type { WorkflowInput, WorkflowStep } from "../api/workflow-api.ts";
import { unknownMembers } from "./workflow-trigger.ts";

const forms = ["file", "code", "steps", "handler"] as const;
const references = ["code", "file", "key", "componentId"] as const;
const stepMembers = ["name", "component", "props"];
const componentMembers = [...references, "root"];

function invalid(input: WorkflowInput, problems: readonly Problem[]): XError<"invalid_workflow"> {
  const name = typeof input.name === "string" ? input.name : (input.id ?? "");
  const text = problems.map(({ message }) => message).join("; ");
  return new XError("invalid_workflow", [name, text], { details: { errors: problems } });
}

/** What is wrong with a step; the caller may be JavaScript. */
function stepProblems(step: unknown, index: number): Problem[] {
  const problem = stepProblem(step, index);
  if (problem) return [problem];
  const { component } = step as WorkflowStep;
  return [
    ...unknownMembers(step as object, stepMembers, `step ${index}`, `/steps/${index}`),
    ...unknownMembers(component, componentMembers, `component of step ${index}`, `/steps/${index}/component`),
  ];
}

function stepProblem(step: unknown, index: number): Problem | undefined {
  const path = `/steps/${index}`;
  if (typeof step !== "object" || step === null)
    return { path, message: `Step ${index} must be { name, component, props }` };
  const { name, component } = step as { readonly name?: unknown; readonly component?: unknown };
  if (typeof name !== "string") {
    const got = name === undefined ? "nothing" : `a ${typeof name}`;
    return { path: `${path}/name`, message: `name of step ${index} must be an identifier, got ${got}` };
  }
  if ("run" in step || "action" in step || typeof component === "function") {
    const message = `Step ${index} has a function, which cannot enter the sandbox: give it as component { file }, { code }, { key } or { componentId }, or give the workflow a handler`;
    return { path, message };
  }
  const named =
    typeof component === "object" && component !== null
      ? references.filter((reference) => typeof (component as { [name: string]: unknown })[reference] === "string")
      : [];
  if (named.length === 1) return undefined;
  const message = `component of step ${index} must have exactly one of ${references.join(", ")}, got ${named.join(" and ") || "none"}`;
  return { path: `${path}/component`, message };
}

async function partOf(
  { name, component, props }: WorkflowStep,
  resolve: (reference: ComponentReference) => Promise<Pick<ComponentTexts, "bundle" | "sourceMap">>,
): Promise<WorkflowPart> {
  const rest = { name, ...(props && { props }) };
  // Other members may be present with the value undefined.
  const { code, file, root, key, componentId } = component as { readonly [member: string]: string | undefined };
  if (typeof code === "string") return { ...rest, component: { code } };
  if (typeof file === "string") return { ...rest, component: { file, ...(root !== undefined && { root }) } };
  return {
    ...rest,
    component: await resolve(typeof key === "string" ? { key } : { componentId: String(componentId) }),
  };
}

/** Reads the code of a workflow from its input. Rejects with `invalid_workflow`, or with an error of `resolve`. */
export async function readWorkflowCode(
  input: WorkflowInput,
  resolve: (reference: ComponentReference) => Promise<Pick<ComponentTexts, "bundle" | "sourceMap">>,
): Promise<WorkflowCode> {
  const given = forms.filter((form) => input[form] !== undefined);
  const { file, root, code, steps = [], handler } = input;
  if (given.length !== 1) {
    const message = `A workflow must have exactly one of ${forms.join(", ")}, got ${given.join(" and ") || "none"}`;
    throw invalid(input, [{ path: "", message }]);
  }
  for (const form of ["file", "code"] as const) {
    if (typeof (input[form] ?? "") === "string") continue;
    throw invalid(input, [{ path: `/${form}`, message: `${form} must be a text, got a ${typeof input[form]}` }]);
  }
  if (file !== undefined) return { file, ...(root !== undefined && { root }) };
  if (code !== undefined) return { code };
  if (handler !== undefined) {
    if (typeof handler === "function") return "handler";
    throw invalid(input, [{ path: "/handler", message: `handler must be a function, got a ${typeof handler}` }]);
  }
  if (!Array.isArray(steps)) throw invalid(input, [{ path: "/steps", message: "steps must be a list" }]);
  const problems = steps.flatMap(stepProblems);
  if (problems.length > 0) throw invalid(input, problems);
  const parts: WorkflowPart[] = [];
  for (const step of steps as readonly WorkflowStep[]) parts.push(await partOf(step, resolve));
  return { parts };
}
