import { type CodeInput, type ComponentReference, errorCatalogue, type ErrorCode } from "@x/runtime";

import { jsonAnswer } from "../answer.ts";
import { dataOf, record } from "../openapi/shapes.ts";
import { viewComponent } from "../views.ts";
import { defineRoute, type Route, type Schema } from "../route.ts";
import { parseReference, referenceParameters } from "./parameters.ts";

const { component_code, component_files, component_entry, component_url } = referenceParameters;

/** Errors of the packages that a component imports. */
const packageErrors: readonly ErrorCode[] = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) =>
  code.startsWith("package_"),
);

/** Errors of loading a component. */
export const componentErrors: readonly ErrorCode[] = [
  "invalid_component",
  "bundle_failed",
  ...packageErrors,
  "component_url_failed",
  "address_forbidden",
];

const inputOf = ({ code, files, entry = "", url = "" }: ComponentReference): CodeInput => {
  if (code !== undefined) return { code, ...(url !== "" && { url }) };
  return files === undefined ? { url } : { files, entry };
};

const entryText = (description: string): Schema => ({ type: "string", description });
const registryEntry: Schema = record({
  key: entryText("From the code."),
  name: entryText("From the code."),
  version: entryText("From the code."),
  component_id: entryText("Starts with `sc_`."),
});

/** Saved components. */
export const componentRoutes: readonly Route[] = [
  defineRoute({
    name: "saveComponent",
    tag: "Components",
    method: "POST",
    path: "/components",
    summary: "Save a component",
    description:
      "Saving the same code again returns the existing component. With `component_code`, `component_url` only records the origin of the code.",
    body: { component_code, component_files, component_entry, component_url },
    bodyExample: {
      component_code: 'export default { name: "Clock", key: "clock", version: "1.0.0", run() { this.$emit("tick") } }',
    },
    errors: componentErrors,
    answer: { status: 200, description: "The saved component.", schema: dataOf("Component") },
    async handle({ runtime, body, resource }) {
      const reference = parseReference(body, ["component_code", "component_files", "component_url"]);
      const component = await runtime.saveComponent(inputOf(reference));
      return resource(200, viewComponent(component));
    },
  }),
  defineRoute({
    name: "listRegistry",
    tag: "Components",
    method: "GET",
    path: "/components/registry",
    summary: "List the components of the registry by key",
    description: "The answer comes when all files of the registry are read. Files without a component are left out.",
    answer: {
      status: 200,
      description: "All components, without pages.",
      schema: record({ data: { type: "array", items: registryEntry } }),
    },
    async handle({ service, select }) {
      const entries = (await service.registry()).flatMap(({ key, name, version, componentId }) =>
        key === undefined || componentId === undefined ? [] : { key, name, version, component_id: componentId },
      );
      return jsonAnswer(200, { data: entries.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(select) });
    },
  }),
  defineRoute({
    name: "readRegistryComponent",
    tag: "Components",
    method: "GET",
    path: "/components/registry/:key",
    summary: "Read a component of the registry by its key",
    description:
      "Only components in the registry of this service have such a key, never those that users save. One whose packages cannot be had is answered with the reason.",
    errors: packageErrors,
    answer: { status: 200, description: "The component.", schema: dataOf("Component") },
    async handle({ service, params, resource }) {
      return resource(200, viewComponent(await service.registryComponent(params.key)));
    },
  }),
  defineRoute({
    name: "readComponent",
    tag: "Components",
    method: "GET",
    path: "/components/:key",
    summary: "Read a component by its key or id",
    description: "A key names the latest saved component of this user; an id may be one of the registry.",
    answer: { status: 200, description: "The component.", schema: dataOf("Component") },
    async handle({ runtime, params, resource }) {
      return resource(200, viewComponent(await runtime.component(params.key)));
    },
  }),
];
