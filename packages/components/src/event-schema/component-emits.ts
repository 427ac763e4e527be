import { inferSchema, pointer, type ComponentWarning, type EventSchema, type Json } from "@x/model";
import { isFunction, isRecord } from "../shown-value.ts";
import { findSchemaProblem, isMeantAsSchema, type JsonSchema } from "./schema-problem.ts";

const maxSample = 64 * 1024;

/** The part of a component's shape that is about its events, and what is wrong with their schema. */
export interface ComponentEmits {
  readonly shape: { readonly emits?: EventSchema };
  readonly warnings: readonly ComponentWarning[];
}

const noSchema: ComponentWarning = {
  rule: "emits-no-schema",
  path: "/emits",
  message:
    "emits is no JSON Schema, so it says nothing of the events: write a schema with its type, or {} as Event for the type alone",
};

/** The schema of a component's events: declared in `emits`, else that of `sampleEmit`. */
export function componentEmits(described: { readonly emits?: unknown; readonly sampleEmit?: Json }): ComponentEmits {
  const { emits, sampleEmit } = described;
  if (isRecord(emits) && !isFunction(emits) && isMeantAsSchema(emits)) {
    const problem = findSchemaProblem(emits as JsonSchema);
    if (!problem) return { shape: { emits: { schema: emits as JsonSchema, from: "emits" } }, warnings: [] };
    const path = pointer("emits") + problem.path;
    const message = `${path.slice(1).replaceAll("/", ".")} ${problem.message}, so nothing is known of the events`;
    return { shape: {}, warnings: [{ rule: "emits-invalid", path, message }] };
  }
  const isType = !isRecord(emits) || Object.keys(emits).length === 0;
  const isSample =
    sampleEmit !== undefined && !isFunction(sampleEmit) && JSON.stringify(sampleEmit).length <= maxSample;
  return {
    shape: isSample ? { emits: { schema: inferSchema([sampleEmit]), from: "sampleEmit" } } : {},
    warnings: isType ? [] : [noSchema],
  };
}
