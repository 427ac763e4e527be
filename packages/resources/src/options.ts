import { anyJson, record, type Schema, schemaRef, text } from "./shapes.ts";

/** A prop, with the fields that a form needs. */
export const configurableProp: Schema = {
  type: "object",
  properties: {
    name: text("As in `this.<name>`."),
    type: text("For example `string[]` or `$.interface.timer`."),
    label: { type: "string" },
    description: { type: "string" },
    optional: { type: "boolean" },
    default: anyJson,
  },
  required: ["name", "type"],
  additionalProperties: true,
};

const observations: Schema = {
  type: "array",
  description: "Console output of the component.",
  items: schemaRef("LogRecord"),
};

const errors: Schema = {
  type: "array",
  description: "Errors of the component.",
  items: record(
    {
      code: text("For example `component_threw`, `sandbox_timeout` or `invalid_result`."),
      name: text("Name of the thrown error."),
      message: text("Its message."),
      stack: text("Where it was thrown, in the author's files."),
      hint: text("What may help against it."),
    },
    ["hint"],
  ),
};

/** Choices of a prop, and the props that a component adds. */
export const optionSchemas: Readonly<Record<"Options" | "DynamicProps", Schema>> = {
  Options: {
    ...record({
      options: {
        type: "array",
        items: record({ label: text("The text to show."), value: { description: "The value to configure." } }),
      },
      string_options: {
        type: ["array", "null"],
        items: { type: "string" },
        description: "The plain list, when every choice is text.",
      },
      context: { description: "For `prev_context` of the next page; null when there is none." },
      observations,
      errors,
    }),
    examples: [
      {
        options: [{ label: "Invoices", value: "l_1" }],
        string_options: null,
        context: { nextPageToken: "p2" },
        observations: [],
        errors: [],
      },
    ],
  },
  DynamicProps: {
    ...record({
      observations,
      errors,
      dynamic_props: {
        description: "Null when `additionalProps` failed.",
        oneOf: [
          { type: "null" },
          record({
            id: text("Starts with `dyp_`."),
            configurable_props: {
              type: "array",
              description: "The props of the component, with those that it adds.",
              items: configurableProp,
            },
          }),
        ],
      },
    }),
    examples: [
      {
        observations: [],
        errors: [],
        dynamic_props: {
          id: "dyp_2Wk7Zt0QaB",
          configurable_props: [
            { name: "board", type: "string", reloadProps: true },
            { name: "list", type: "string", remoteOptions: true },
          ],
        },
      },
    ],
  },
};
