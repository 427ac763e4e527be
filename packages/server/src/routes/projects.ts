import type { ProjectResource } from "@x/runtime";

import { schemaRef, viewProject } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { all, nothing, one } from "../route-answer.ts";
import { searchIn, searchItems } from "../list-search.ts";
import type { ParameterSchema } from "../schema.ts";

const route = tagged("Projects");

const revision = {
  type: "integer",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "the revision of the record that this one replaces; 0 for a new project",
} as const satisfies ParameterSchema;
// The runtime validates them, with the index of the wrong one.
const resources = {
  description: "a list of resources",
  shownAs: { type: "array", items: schemaRef("ProjectResource") },
} as const satisfies ParameterSchema;

/** Records of what projects have made. */
export const projectRoutes: readonly Route[] = [
  route("GET /users/me/projects", {
    name: "listProjects",
    summary: "List the records of all projects by name",
    answer: all("Project", "All projects, without pages."),
    query: searchIn("the name"),
    async handle({ runtime, query }) {
      const found = await searchItems(await runtime.projects(), query, ({ name }) => [name]);
      return found.map(viewProject);
    },
  }),
  route("GET /projects/:name", {
    name: "readProject",
    summary: "Read the record of a project",
    answer: one("Project", "The record."),
    handle: async ({ runtime, params }) => viewProject(await runtime.project(params.name)),
  }),
  route("PUT /projects/:name", {
    name: "replaceProject",
    summary: "Replace the record of a project",
    description: [
      "`x apply` writes here what it is about to make, and what it has made: a record changes no resource. With the revision",
      "that was read, of two changes at the same time one is refused. An equal record keeps its revision.",
    ].join("\n"),
    body: { revision, resources },
    required: ["revision", "resources"],
    bodyExample: {
      revision: 0,
      resources: [{ kind: "source", name: "orders", id: null, made: true, fingerprint: null }],
    },
    errors: ["project_changed"],
    answer: one("Project", "The new record."),
    async handle({ runtime, params, body }) {
      const input = { revision: body.revision, resources: body.resources as unknown as readonly ProjectResource[] };
      return viewProject(await runtime.putProject(params.name, input));
    },
  }),
  route("DELETE /projects/:name", {
    name: "deleteProject",
    summary: "Forget a project; what it has made stays",
    answer: nothing("Deleted."),
    handle: ({ runtime, params }) => runtime.deleteProject(params.name),
  }),
];
