import type { Ajv, ErrorObject, ValidateFunction } from "ajv";

import { longerThan, pointer, type Problem } from "@x/model";
import { hasMember, isGuestKind, isOneOf, plainTest, type Schema } from "./plainly-valid.ts";
import { isRecord, shownValue } from "../shown-value.ts";
import { loadValidator } from "./validator.ts";

/** Lists the problems of a value, one per path; no more than are ever shown. */
export type Check = (value: unknown) => readonly SchemaProblem[];

/** A problem at a path. The caller adds the subject of the sentence. */
export interface SchemaProblem {
  /** JSON pointer. */
  readonly path: string;
  /** The value; undefined when it is missing. */
  readonly value: unknown;
  /** What the schema's `description` expects there. */
  readonly expected: string;
}

/** More problems of one value help nobody. */
const maxProblems = 100;

/** The schema of an object, each part of which describes the expected value in `description`. */
export interface ObjectSchema {
  readonly type: "object";
  /** Whether it may be a function of the component, "function" or "object". */
  readonly guest?: string;
  readonly description?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
}

// One instance per schema: an instance keeps every schema it has seen.
function createCompiler(): Ajv {
  const { Ajv } = loadValidator();
  const ajv = new Ajv({ allErrors: true, verbose: true, ownProperties: true, meta: false, validateSchema: false });
  ajv.addKeyword({ keyword: "guest", validate: isGuestKind });
  // The library's own compares every value with every other one.
  ajv.removeKeyword("enum");
  ajv.addKeyword({ keyword: "enum", compile: isOneOf });
  return ajv;
}

/** Problems of a list: item by item, because the library finds them all. */
function createListCheck(items: Schema, whole: Schema, compiler: () => Ajv): Check {
  const checkWhole = createMemberCheck(whole, compiler);
  const checkItem = createMemberCheck(items, compiler);
  return (value) => {
    if (!Array.isArray(value)) return checkWhole(value);
    const problems = [...checkWhole(value)];
    for (const [index, item] of value.entries()) {
      if (problems.length >= maxProblems) break;
      problems.push(...checkItem(item).map((problem) => ({ ...problem, path: `/${index}${problem.path}` })));
    }
    return problems;
  };
}

/** Problems of a member of an object. */
function createMemberCheck(schema: Schema, compiler: () => Ajv): Check {
  const { items, ...whole } = schema as Schema & { readonly items?: Schema };
  if (items !== undefined) return createListCheck(items, whole, compiler);
  const isValid = plainTest(schema);
  let validate: ValidateFunction | undefined;
  return (value) => {
    if (isValid(value)) return [];
    validate ??= compiler().compile(schema);
    if (validate(value)) return [];
    const places = new Map<string, SchemaProblem>();
    for (const error of validate.errors ?? []) {
      const problem = placed(error);
      if (!places.has(problem.path)) places.set(problem.path, problem);
      if (places.size === maxProblems) break;
    }
    return [...places.values()];
  };
}

/**
 * Creates a check for objects. A member is compiled for the first value of it that is not plainly valid: compiling them all
 * takes a millisecond for each. The keyword `guest` ("function" or "object") matches values as the sandbox describes them.
 */
export function compileCheck({ properties = {}, required = [], ...whole }: ObjectSchema): Check {
  const isWhole = plainTest(whole);
  let ajv: Ajv | undefined;
  const compiler = (): Ajv => (ajv ??= createCompiler());
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    check: createMemberCheck(schema, compiler),
  }));
  return (value) => {
    // A value that is not an object is reported once, without its missing members.
    if (!isRecord(value) || !isWhole(value)) return [{ path: "", value, expected: whole.description ?? "valid" }];
    const problems: SchemaProblem[] = required
      .filter((name) => !hasMember(value, name))
      .map((name) => missing("", name, properties));
    for (const { name, check } of members) {
      if (problems.length >= maxProblems) break;
      if (!hasMember(value, name)) continue;
      problems.push(...check(value[name]).map((problem) => ({ ...problem, path: pointer(name) + problem.path })));
    }
    return problems.slice(0, maxProblems);
  };
}

function missing(path: string, name: string, properties: ObjectSchema["properties"]): SchemaProblem {
  const schema = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return { path: path + pointer(name), value: undefined, expected: schema?.description ?? "a value" };
}

/** "What must be this, got that" or "what is missing; expected this". */
export const sentence = (
  what: string,
  { path, value, expected }: SchemaProblem,
  hint = "",
  show: (value: unknown) => string = shownValue,
): Problem => ({
  path,
  message:
    value === undefined
      ? `${what} is missing; expected ${expected}`
      : `${what} must be ${expected}, got ${show(value)}${hint}`,
});

function placed({ keyword, instancePath, params, parentSchema, data }: ErrorObject): SchemaProblem {
  const schema = parentSchema as Pick<ObjectSchema, "description" | "properties">;
  if (keyword === "required") return missing(instancePath, String(params["missingProperty"]), schema.properties);
  const { description = "valid" } = schema;
  const expected = keyword === "maxLength" ? `${description}, not ${longerThan(Number(params["limit"]))}` : description;
  return { path: instancePath, value: data, expected };
}
