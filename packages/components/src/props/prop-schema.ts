import type { AnySchemaObject } from "ajv";

import type { Json, PropShape } from "@x/model";
import { dataStoreNameRule, dataStorePattern } from "./data-store-name.ts";
import { propKind } from "./prop-type.ts";
import type { ObjectSchema } from "./schema-check.ts";
import { isRecord, shownValue } from "../shown-value.ts";

const shownOptions = 10;

/** The value that a prop gets when this option is chosen. */
export const optionValue = (option: Json): Json =>
  isRecord(option) ? ((Object.hasOwn(option, "value") ? option["value"] : option["label"]) as Json) : option;

/** The only allowed values: those of static options. Options from a function allow any value. */
export const bindingOptions = (prop: PropShape): readonly Json[] | undefined =>
  prop.options && prop.options.length > 0 ? prop.options.map(optionValue) : undefined;

/** True when a caller must configure the prop (R044). A prop with a default is not required (T3). */
const isRequired = (prop: PropShape): boolean =>
  propKind(prop.type) === "value" && prop.optional !== true && prop.default === undefined && prop.static === undefined;

/** A JSON schema for configured values without labels. Timers and interfaces are checked elsewhere. */
export function propsSchema(props: readonly PropShape[]): ObjectSchema {
  const checked = props.filter(({ type }) => propKind(type) === "value" || propKind(type) === "app");
  return {
    type: "object",
    properties: Object.fromEntries(checked.map((prop) => [prop.name, propSchema(prop)])),
    required: checked.filter(isRequired).map(({ name }) => name),
  };
}

function propSchema(prop: PropShape): AnySchemaObject {
  const isArray = prop.type.endsWith("[]");
  const item = itemSchema(prop, isArray ? prop.type.slice(0, -2) : prop.type);
  if (!isArray) return item;
  return { type: "array", items: item, description: `an array; each item must be ${String(item["description"])}` };
}

function itemSchema(prop: PropShape, type: string): AnySchemaObject {
  const options = bindingOptions(prop);
  if (type === "data_store") {
    const name = { type: "string", pattern: dataStorePattern, description: dataStoreNameRule };
    return options ? { ...name, enum: [...options], description: oneOf(options) } : name;
  }
  if (options) return { enum: [...options], description: oneOf(options) };
  switch (type) {
    case "string":
    case "$.discord.channel":
      return { type: "string", description: "a string" };
    case "boolean":
      return { type: "boolean", description: "true or false" };
    case "integer":
    case "number":
      return numberSchema(prop, type);
    case "http_request":
      return {
        type: "object",
        required: ["url"],
        properties: {
          url: { type: "string", description: "a URL" },
          method: { type: "string", description: "a method such as GET" },
        },
        description: `{"method": …, "url": …, "headers": [{"name": …, "value": …}], "params": […], "body": …}`,
      };
    case "object":
      return { type: "object", description: "an object" };
    case "app": {
      const account = { type: "string", minLength: 1, description: "the id of a connected account" };
      return {
        type: "object",
        required: ["authProvisionId"],
        properties: { authProvisionId: account },
        description: `{"authProvisionId": <id of a connected ${prop.app ?? ""} account>}`,
      };
    }
    default:
      return { description: "a value" };
  }
}

function numberSchema({ min, max }: PropShape, type: "integer" | "number"): AnySchemaObject {
  const range = [min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`].filter(Boolean);
  return {
    type,
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    description: `${type === "integer" ? "an integer" : "a number"}${range.length > 0 ? ` of ${range.join(" and ")}` : ""}`,
  };
}

function oneOf(options: readonly Json[]): string {
  const shown = options.slice(0, shownOptions).map(shownValue).join(", ");
  return `one of ${shown}${options.length > shownOptions ? `, … (${options.length} options)` : ""}`;
}
