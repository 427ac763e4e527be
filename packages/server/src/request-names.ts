import { type Problem, XError } from "@x/runtime";

import { snake } from "@x/resources";
import { maxProblems } from "@x/http";
import type { RequestPart } from "./schema.ts";

/** The names of a route's parameters, by the part of the request, those that were given first. */
export type RequestNames = readonly (readonly [part: RequestPart, names: readonly string[]])[];

/** The forms that the name of a parameter of the runtime can have in requests. */
const formsOf = (name: string): readonly string[] => [
  name,
  snake(name),
  `component_${snake(name)}`,
  `configured_${snake(name)}`,
];

function findName(name: string, known: RequestNames): { readonly part?: RequestPart; readonly name: string } {
  for (const form of formsOf(name)) {
    const found = known.find(([, names]) => names.includes(form));
    if (found) return { part: found[0], name: form };
  }
  return { name };
}

/** Names of members, outermost first, in the words of the request. */
function renamed([first = "", second, ...rest]: readonly string[], known: RequestNames): readonly string[] {
  const { name } = findName(first, known);
  if (second === undefined) return [name];
  return [name, name === "oauth" ? snake(second) : second, ...rest];
}

function renamedProblem(problem: Problem, known: RequestNames): Problem {
  const [, ...names] = problem.path.split("/");
  const { part } = findName(names[0] ?? "", known);
  const path = names.length === 0 ? "" : `/${renamed(names, known).join("/")}`;
  return { ...(part && { in: part }), ...problem, path };
}

/**
 * A 400 of the runtime, with the names that the request has for its parameters. Other values as they are, and problems that
 * name their part of the request: they have its names.
 */
export function inRequestNames(error: unknown, known: RequestNames): unknown {
  if (!XError.is(error)) return error;
  const { parameter, errors } = error.details;
  const isOfParameters = typeof parameter === "string";
  if ((!isOfParameters && error.code !== "invalid_props") || errors?.some((problem) => "in" in problem)) return error;
  const name = isOfParameters ? renamed(parameter.split("."), known).join(".") : undefined;
  const details = {
    ...error.details,
    ...(name !== undefined && { parameter: name }),
    ...(errors && { errors: errors.slice(0, maxProblems).map((problem) => renamedProblem(problem, known)) }),
  };
  const message =
    name === undefined
      ? error.message
      : error.message.replace(`Parameter "${String(parameter)}"`, () => `Parameter "${name}"`);
  // A copy: who threw the error may keep it for others.
  return Object.create(error, { message: { value: message }, details: { value: details } }) as unknown;
}
