import {
  type CodeInput,
  type ComponentReference,
  errorCatalogue,
  type ErrorCode,
  type RegistryEntry,
} from "@x/runtime";

import { jsonAnswer } from "@x/http";
import { record, schemaRef, viewComponent, type Schema } from "@x/resources";
import { searchIn, searchItems } from "../list-search.ts";
import { cutKeyPage, formatCursor, pageBody } from "../page.ts";
import { type Route, tagged } from "../route.ts";
import { one } from "../route-answer.ts";
import { pageParameters, parseReference, referenceParameters } from "./parameters.ts";

const route = tagged("Components");

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
const registryEntry: Schema = record(
  {
    key: entryText("From the code."),
    name: entryText("From the code; absent while the text alone does not show it."),
    version: entryText("From the code, as `name`."),
    description: entryText("From the code."),
    type: { enum: ["source", "action"], description: "What it is." },
    apps: { type: "array", items: { type: "string" }, description: "Slugs of the apps whose accounts it needs." },
    file: entryText("Its path in the registry."),
    state: {
      enum: ["known", "evaluated", "refused"],
      description: "`known`: read by its text alone; it is evaluated when somebody asks for it, and in the background.",
    },
    component_id: {
      type: ["string", "null"],
      description: "Starts with `sc_`; null until it is evaluated, and while it is refused.",
    },
    problem: {
      ...record({ code: entryText("A code of the catalogue of errors."), message: entryText("What is wrong.") }),
      description: "Why its current version is not served.",
    },
  },
  ["name", "version", "description", "apps", "problem"],
);
const progress: Schema = {
  ...record({
    known: { type: "integer", description: "Files with a known key." },
    evaluated: { type: "integer", description: "Files whose component is served." },
    refused: { type: "integer", description: "Files that cannot be served." },
    total: { type: "integer", description: "Files that may be components. Grows while the folder is listed." },
  }),
  description: "How much of the registry is known.",
};

const listFilters = {
  ...searchIn("key, name or description"),
  app: { type: "string", maxLength: 128, description: "the slug of an app" },
  type: { type: "string", enum: ["source", "action"], description: '"source" or "action"' },
} as const;

interface ListFilters {
  readonly app?: string;
  readonly type?: string;
}

/** True for a component that a list with these filters shows. */
const isListed = ({ type, apps = [] }: RegistryEntry, filters: ListFilters): boolean =>
  (filters.app === undefined || apps.includes(filters.app)) && (filters.type === undefined || type === filters.type);

const viewEntry = ({ componentId, ...entry }: RegistryEntry): object => ({
  ...entry,
  component_id: componentId ?? null,
});

/** Saved components. */
export const componentRoutes: readonly Route[] = [
  route("POST /components", {
    name: "saveComponent",
    summary: "Save a component",
    description:
      "Saving the same code again returns the existing component. With `component_code`, `component_url` only records the origin of the code.",
    body: { component_code, component_files, component_entry, component_url },
    bodyExample: {
      component_code: 'export default { name: "Clock", key: "clock", version: "1.0.0", run() { this.$emit("tick") } }',
    },
    errors: componentErrors,
    answer: one("Component", "The saved component."),
    async handle({ runtime, body }) {
      const reference = parseReference(body, ["component_code", "component_files", "component_url"]);
      const component = await runtime.saveComponent(inputOf(reference));
      return viewComponent(component);
    },
  }),
  route("GET /components/registry", {
    name: "listRegistry",
    summary: "List the components of the registry by key",
    description: [
      "The answer does not wait: `progress` says how much of the registry is known. A component is in the list as soon as its",
      "text is read; those whose text does not show a key follow when they are evaluated.",
    ].join("\n"),
    query: { ...pageParameters, ...listFilters },
    answer: {
      status: 200,
      description: "A page of components, in the order of their keys.",
      schema: record({
        page_info: schemaRef("PageInfo"),
        data: { type: "array", items: registryEntry },
        progress,
      }),
    },
    async handle({ service, query, select }) {
      const { items, progress } = service.registryList();
      const found = await searchItems(items, query, ({ key, name, description }) => [key, name, description]);
      const page = cutKeyPage(
        found.filter((entry) => isListed(entry, query)),
        query,
      );
      const body = pageBody(
        page,
        ({ key }) => formatCursor(key),
        (entry) => select(viewEntry(entry)),
      );
      return jsonAnswer(200, { ...body, progress });
    },
  }),
  route("GET /components/registry/:key", {
    name: "readRegistryComponent",
    summary: "Read a component of the registry by its key",
    description:
      "Only components in the registry of this service have such a key, never those that users save. One that is not evaluated yet is evaluated first; one whose packages cannot be had, or that takes longer than 5 seconds, is answered with the reason.",
    errors: packageErrors,
    answer: one("Component", "The component."),
    handle: async ({ service, params }) => viewComponent(await service.registryComponent(params.key)),
  }),
  route("GET /components/:key", {
    name: "readComponent",
    summary: "Read a component by its key or id",
    description: "A key names the latest saved component of this user; an id may be one of the registry.",
    answer: one("Component", "The component."),
    handle: async ({ runtime, params }) => viewComponent(await runtime.component(params.key)),
  }),
];
