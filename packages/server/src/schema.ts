import { type Hint, type Json, jsonPointer, limitedHints, longerThan, type Problem } from "@x/runtime";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";

import { excerpt, maxProblems } from "@x/http";

/** One parameter. `description` completes the sentence "must be …". */
export interface ParameterSchema {
  readonly type?: "string" | "boolean" | "integer" | "object";
  readonly description: string;
  /** A schema for descriptions only, where the parameter's text stands for another type. */
  readonly shownAs?: Readonly<Record<string, unknown>>;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A parameter whose type is known, such as `"string"`. */
export type ParameterOf<Type extends NonNullable<ParameterSchema["type"]>> = ParameterSchema & { readonly type: Type };

/** A parameter that the runtime checks, whose schema allows any value. */
export type CheckedLater<Value> = ParameterSchema & { readonly value?: Value };

/** The value of a parameter, as its schema allows it. */
type ValueOf<Schema> = "value" extends keyof Schema
  ? NonNullable<Schema["value"]> | (null extends Schema["value"] ? null : never)
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: "string" }
      ? string
      : Schema extends { readonly type: "boolean" }
        ? boolean
        : Schema extends { readonly type: "integer" }
          ? number
          : Schema extends { readonly type: "object" }
            ? { readonly [name: string]: Json }
            : Json;

/** The values of parameters by name; those that are not `Required` may be absent. */
export type ValuesOf<Schemas, Required = never> = {
  readonly [Name in keyof Schemas as Name extends Required ? Name : never]: ValueOf<Schemas[Name]>;
} & { readonly [Name in keyof Schemas as Name extends Required ? never : Name]?: ValueOf<Schemas[Name]> };

/** The parameters of one part of a request. */
export interface ParametersSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ParameterSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

export type RequestPart = "path" | "query" | "header" | "body";

/** A problem of a request. */
export interface RequestProblem extends Problem {
  readonly in: RequestPart;
  readonly parameter: string;
  readonly expected: string;
  /** The value in words; absent when the parameter is missing. */
  readonly received?: string;
  /** The value itself, when it is text. */
  readonly text?: string;
}

/** A compiled schema: returns a value of type T, or adds problems. */
export interface Parameters<T> {
  readonly schema: ParametersSchema;
  read(value: unknown, problems: RequestProblem[]): T | undefined;
}

const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, ownProperties: true, keywords: ["shownAs"] });
const longestName = 100;
const longestValue = 60;

function show(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return excerpt(JSON.stringify(value) ?? "nothing", longestValue);
}

function readError(part: RequestPart, schema: ParametersSchema, error: ErrorObject, hint: Hint): RequestProblem {
  if (error.keyword === "additionalProperties") {
    const name = excerpt(String(error.params["additionalProperty"]), longestName);
    const names = Object.keys(schema.properties);
    const near = hint(name, names);
    const expected = `one of ${names.join(", ")}${near}`;
    const path = error.instancePath + jsonPointer(name);
    return { in: part, path, message: `is unknown${near}`, parameter: name, expected, received: "an unknown name" };
  }
  if (error.keyword === "required") {
    const name = String(error.params["missingProperty"]);
    const expected = schema.properties[name]?.description ?? "a value";
    return { in: part, path: jsonPointer(name), message: "is missing", parameter: name, expected };
  }
  const name = error.instancePath.split("/")[1] ?? part;
  const expected = schema.properties[name]?.description ?? "a JSON object";
  if (error.keyword === "maxLength") {
    const limit = longerThan(Number(error.params["limit"]));
    const message = `must be ${expected}, and is ${limit}`;
    return { in: part, path: error.instancePath, message, parameter: name, expected, received: `a text ${limit}` };
  }
  const received = show(error.data);
  return {
    in: part,
    path: error.instancePath,
    message: `must be ${expected}`,
    parameter: name,
    expected,
    received,
    ...(typeof error.data === "string" && { text: excerpt(error.data, longestValue) }),
  };
}

/** Validators by the JSON of their schema; routes share many. */
const compiled = new Map<string, ValidateFunction>();

/** Compiles a schema at first use: compiling all would take most of the start-up time. */
function validatorOf(schema: ParametersSchema): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? ajv.compile(schema);
  compiled.set(text, known);
  return known;
}

/** Validates the parameters of one part of a request. T must match the schema. */
export function defineParameters<T>(
  part: RequestPart,
  properties: ParametersSchema["properties"],
  required: readonly string[] = [],
): Parameters<T> {
  const schema: ParametersSchema = {
    type: "object",
    properties,
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  };
  let validate: ValidateFunction | undefined;
  return {
    schema,
    read(value, problems) {
      validate ??= validatorOf(schema);
      if (validate(value)) return value as T;
      const hint = limitedHints();
      for (const error of (validate.errors ?? []).slice(0, maxProblems)) {
        problems.push(readError(part, schema, error, hint));
      }
      return undefined;
    },
  };
}
