import type { ProjectResource } from "@x/runtime";

import { emptyAnswer, jsonAnswer } from "@x/http";
import { allOf, dataOf, schemaRef, viewProject } from "@x/resources";
import { defineRoute, type Route } from "../route.ts";
import type { ParameterSchema } from "../schema.ts";

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

const tag = "Projects";

/** Records of what projects have made. */
export const projectRoutes: readonly Route[] = [
  defineRoute({
    name: "listProjects",
    tag,
    method: "GET",
    path: "/users/me/projects",
    summary: "List the records of all projects by name",
    answer: {
      status: 200,
      description: "All projects, without pages.",
      schema: allOf("Project"),
    },
    async handle({ runtime, select }) {
      const found = await runtime.projects();
      return jsonAnswer(200, { data: found.map((project) => select(viewProject(project))) });
    },
  }),
  defineRoute({
    name: "readProject",
    tag,
    method: "GET",
    path: "/projects/:name",
    summary: "Read the record of a project",
    answer: { status: 200, description: "The record.", schema: dataOf("Project") },
    async handle({ runtime, params, resource }) {
      return resource(200, viewProject(await runtime.project(params.name)));
    },
  }),
  defineRoute({
    name: "replaceProject",
    tag,
    method: "PUT",
    path: "/projects/:name",
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
    answer: { status: 200, description: "The new record.", schema: dataOf("Project") },
    async handle({ runtime, params, body, resource }) {
      const input = { revision: body.revision, resources: body.resources as unknown as readonly ProjectResource[] };
      return resource(200, viewProject(await runtime.putProject(params.name, input)));
    },
  }),
  defineRoute({
    name: "deleteProject",
    tag,
    method: "DELETE",
    path: "/projects/:name",
    summary: "Forget a project; what it has made stays",
    answer: { status: 204, description: "Deleted." },
    async handle({ runtime, params }) {
      await runtime.deleteProject(params.name);
      return emptyAnswer;
    },
  }),
];
