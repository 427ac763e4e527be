import { dataOf, listOf, viewWorkflow, viewWorkflowDetail } from "@x/resources";
import { idCursor, pageAnswer, parsePage } from "../page.ts";
import { defineRoute, type Route } from "../route.ts";
import { pageParameters } from "./parameters.ts";

/** Lists workflows. The embedding process or the command line registers them. */
export const workflowRoutes: readonly Route[] = [
  defineRoute({
    name: "listWorkflows",
    tag: "Workflows",
    method: "GET",
    path: "/users/me/workflows",
    summary: "List workflows, newest first",
    description: "A workflow that the running service has not registered is inactive; its events stay readable.",
    answer: { status: 200, description: "A page of workflows.", schema: listOf("Workflow") },
    query: pageParameters,
    async handle({ runtime, query, select }) {
      const page = await runtime.workflows(parsePage(query));
      return pageAnswer(page, idCursor, (workflow) => select(viewWorkflow(workflow)));
    },
  }),
  defineRoute({
    name: "readWorkflow",
    tag: "Workflows",
    method: "GET",
    path: "/workflows/:id",
    summary: "Read a workflow with the names of its steps",
    answer: { status: 200, description: "The workflow.", schema: dataOf("WorkflowDetail") },
    async handle({ runtime, params, resource }) {
      return resource(200, viewWorkflowDetail(await runtime.findWorkflow(params.id)));
    },
  }),
];
