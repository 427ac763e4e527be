import type { DynamicPropsAnswer, OptionsAnswer } from "@x/runtime";

import { type Answer, jsonAnswer } from "@x/http";
import { schemaRef } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { renamed } from "../renamed.ts";
import type { ParameterSchema } from "../schema.ts";
import { settingParameters } from "./parameters.ts";

const routeOfComponents = tagged("Components");
const routeOfSources = tagged("Sources");

const id = {
  type: "string",
  minLength: 1,
  maxLength: 256,
  description: "the id (sc_…) or the key of a saved component",
} as const satisfies ParameterSchema;
const propsParameters = {
  configured_props: settingParameters.configured_props,
  dynamic_props_id: settingParameters.dynamic_props_id,
};
const optionsParameters = {
  prop_name: { type: "string", minLength: 1, maxLength: 256, description: "the name of a prop with options" },
  page: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "an integer of at least 0" },
  prev_context: { description: "the unchanged context of the previous answer, or null" },
  query: { type: "string", maxLength: 4_000, description: "what the user typed, as text of at most 4000 characters" },
  ...propsParameters,
} as const satisfies Readonly<Record<string, ParameterSchema>>;

const optionsDescription = [
  "Nothing need be complete: only the values that are given are checked. `options` lists the choices; `string_options`",
  "is the plain list when all of them are text. What the component throws is in `errors` of an answer 200, what it logs",
  "in `observations`; events and db writes are refused. Send `context` back as `prev_context`, with the next `page`.",
].join("\n");

const viewOptions = ({ options, stringOptions, context, observations, errors }: OptionsAnswer): Answer =>
  jsonAnswer(200, { options, string_options: stringOptions, context, observations, errors });

const viewDynamicProps = ({ observations, errors, dynamicProps }: DynamicPropsAnswer): Answer =>
  jsonAnswer(200, {
    observations,
    errors,
    dynamic_props: dynamicProps && { id: dynamicProps.id, configurable_props: dynamicProps.configurableProps },
  });

const propsDescription = [
  "Calls `additionalProps`, for a component that has it. The props are its own and those that it adds; sources are",
  "deployed with them by `dynamic_props_id`. They are kept for a while, and not over a restart.",
].join("\n");

/** Choices and dynamic props, for filling in the props of a component. */
export const configureRoutes: readonly Route[] = [
  routeOfComponents("POST /components/configure", {
    name: "listOptions",
    summary: "Ask for the choices of a prop",
    description: optionsDescription,
    body: { id, ...optionsParameters },
    required: ["id", "prop_name"],
    bodyExample: { id: "invoices", prop_name: "list", configured_props: { board: "b1" }, page: 0, query: "inv" },
    errors: ["invalid_props", "not_found"],
    answer: { status: 200, description: "The choices, or the errors.", schema: schemaRef("Options") },
    async handle({ runtime, body: { id: component, ...body } }) {
      return viewOptions(await runtime.configure({ id: component, ...renamed(body) }));
    },
  }),
  routeOfSources("POST /sources/:id/configure", {
    name: "listSourceOptions",
    summary: "Ask for the choices of a prop of a source",
    description: `Given values are merged over those of the source, and its db can be read.\n${optionsDescription}`,
    body: optionsParameters,
    required: ["prop_name"],
    bodyExample: { prop_name: "list", page: 0 },
    errors: ["invalid_props"],
    answer: { status: 200, description: "The choices, or the errors.", schema: schemaRef("Options") },
    async handle({ runtime, params, body }) {
      return viewOptions(await runtime.configure({ sourceId: params.id, ...renamed(body) }));
    },
  }),
  routeOfComponents("POST /components/props", {
    name: "listDynamicProps",
    summary: "Ask a component for the props that it adds",
    description: propsDescription,
    body: { id, ...propsParameters },
    required: ["id"],
    bodyExample: { id: "invoices", configured_props: { board: "b1" } },
    errors: ["invalid_props", "not_found"],
    answer: { status: 200, description: "The props, or the errors.", schema: schemaRef("DynamicProps") },
    async handle({ runtime, body: { id: component, ...body } }) {
      return viewDynamicProps(await runtime.dynamicProps({ id: component, ...renamed(body) }));
    },
  }),
  routeOfSources("POST /sources/:id/props", {
    name: "listSourceDynamicProps",
    summary: "Ask the component of a source for the props that it adds",
    description: [
      "Given values are merged over those of the source, whose secrets and accounts the component can use and no answer",
      `shows; null unsets one. ${propsDescription}`,
    ].join("\n"),
    body: propsParameters,
    bodyExample: { configured_props: { board: "b1" } },
    errors: ["invalid_props"],
    answer: { status: 200, description: "The props, or the errors.", schema: schemaRef("DynamicProps") },
    async handle({ runtime, params, body }) {
      return viewDynamicProps(await runtime.dynamicProps({ sourceId: params.id, ...renamed(body) }));
    },
  }),
];
