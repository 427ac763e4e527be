import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import type * as library from "ajv";
import type { AnySchemaObject, ErrorObject, ValidateFunction } from "ajv";

import type { Problem } from "../../model/errors.ts";
import { builtFile } from "../../process/built-file.ts";
import { isGuestKind, isPlainlyValid } from "./plainly-valid.ts";
import { shownValue } from "../shown-value.ts";

/** Lists all problems of a value, one per path. */
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

const require = createRequire(import.meta.url);
/** The bundle of ajv. */
const validatorFile = fileURLToPath(builtFile("threads/validator.cjs"));

// One instance per schema: an instance keeps every schema it has seen.
function compile(schema: AnySchemaObject): ValidateFunction {
  // Loaded at the first use: the library is large, and most processes do not need it.
  const { Ajv } = require(validatorFile) as typeof library;
  const ajv = new Ajv({ allErrors: true, verbose: true, ownProperties: true, meta: false, validateSchema: false });
  ajv.addKeyword({
    keyword: "guest",
    validate: isGuestKind,
  });
  return ajv.compile(schema);
}

/**
 * Creates a check for a JSON schema, each part of which describes the expected value in `description`. The schema is
 * compiled for the first value that is not plainly valid. Its keyword `guest` ("function" or "object") matches values as the
 * sandbox describes them.
 */
export function compileCheck(schema: AnySchemaObject): Check {
  let validate: ValidateFunction | undefined;
  return (value) => {
    if (isPlainlyValid(schema, value)) return [];
    validate ??= compile(schema);
    if (validate(value)) return [];
    const places = new Map<string, SchemaProblem>();
    for (const problem of (validate.errors ?? []).map(placed)) {
      if (!places.has(problem.path)) places.set(problem.path, problem);
    }
    // A value that is not an object is reported once, without its missing members.
    const whole = places.get("");
    return whole ? [whole] : [...places.values()];
  };
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
  const schema = parentSchema as { description?: string; properties?: Record<string, { description?: string }> };
  if (keyword !== "required") return { path: instancePath, value: data, expected: schema.description ?? "valid" };
  const missing = String(params["missingProperty"]);
  return {
    path: `${instancePath}/${missing.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    value: undefined,
    expected: schema.properties?.[missing]?.description ?? "a value",
  };
}
