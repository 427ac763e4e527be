import type { ErrorObject } from "ajv";

import { membersOf, pointer, type Json, type Problem } from "@x/model";
import { loadValidator } from "../props/validator.ts";
import { isFunction, isRecord, shownName } from "../shown-value.ts";

export type JsonSchema = { readonly [keyword: string]: Json };

/** Every answer about a component has its schema. */
const maxBytes = 64 * 1024;
const maxDepth = 64;

const typeNames = ["null", "boolean", "integer", "number", "string", "array", "object"];

/** Whether a declared `emits` is meant as a JSON Schema. The type of `{} as Order` has no value, and others are no schema. */
export function isMeantAsSchema(value: { readonly [member: string]: unknown }): boolean {
  const { type, $ref, $schema, enum: choices } = value;
  return (
    typeNames.some((name) => name === type) ||
    [type, choices, value["anyOf"], value["oneOf"], value["allOf"]].some(Array.isArray) ||
    [$ref, $schema].some((each) => typeof each === "string")
  );
}

/** True when a reference such as `#/$defs/order` leads to a schema. */
function isResolved(schema: unknown, reference: string): boolean {
  if (!/^#(\/|$)/.test(reference)) return false;
  let found: unknown = schema;
  for (const member of membersOf(reference)) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, member)) return false;
    found = (found as { readonly [member: string]: unknown })[member];
  }
  return isRecord(found) || typeof found === "boolean";
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** What the meta-schema does not say about a keyword's value. */
function keywordProblem(schema: JsonSchema, keyword: string, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (keyword === "$ref" && !isResolved(schema, value))
    return `leads to no schema; write the path of one in here, such as #/$defs/order, got ${JSON.stringify(shownName(value))}`;
  if (keyword === "pattern" && !isPattern(value))
    return `is no regular expression: ${JSON.stringify(shownName(value))}`;
  return undefined;
}

function memberProblem(schema: JsonSchema, value: unknown, path: string, depth: number): Problem | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > maxDepth) return { path: "", message: `is deeper than ${maxDepth} levels` };
  if (isFunction(value)) return { path, message: "must be JSON, got a function" };
  for (const [name, member] of Object.entries(value)) {
    const message = keywordProblem(schema, name, member);
    const at = path + pointer(name);
    const problem = message === undefined ? memberProblem(schema, member, at, depth + 1) : { path: at, message };
    if (problem) return problem;
  }
  return undefined;
}

/** The first problem of a JSON Schema (draft 7) as a path in it and the end of a sentence; undefined for a valid one. */
export function findSchemaProblem(schema: JsonSchema): Problem | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > maxBytes) return { path: "", message: `must be at most ${maxBytes} bytes of JSON, got ${bytes}` };
  const problem = memberProblem(schema, schema, "", 0);
  if (problem) return problem;
  const { Ajv } = loadValidator();
  const validator = new Ajv({ strict: false, logger: false });
  const { $schema: _draft, ...own } = schema;
  if (validator.validateSchema(own) === true) return undefined;
  const [first] = (validator.errors ?? []) as readonly ErrorObject[];
  return { path: first?.instancePath ?? "", message: first?.message ?? "is no JSON Schema" };
}
