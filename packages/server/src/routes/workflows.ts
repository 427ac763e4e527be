import { viewWorkflow, viewWorkflowDetail } from "@x/resources";
import type { WorkflowView } from "@x/runtime";
import { readSearch, searchIn } from "../list-search.ts";
import { idCursor, pageAnswer, parsePage } from "../page.ts";
import { type Route, tagged } from "../route.ts";
import { one, pageOf } from "../route-answer.ts";
import { findListed, idsParameter } from "./listed-ids.ts";
import { pageParameters } from "./parameters.ts";

const route = tagged("Workflows");

/** Lists workflows. The embedding process or the command line registers them. */
export const workflowRoutes: readonly Route[] = [
  route("GET /users/me/workflows", {
    name: "listWorkflows",
    summary: "List workflows, newest first",
    description: [
      "A workflow that the running service has not registered is inactive; its events stay readable. `ids` lists these workflows",
      "alone, without pages; unknown ones are left out.",
    ].join("\n"),
    answer: pageOf("Workflow", "A page of workflows."),
    query: { ...pageParameters, ...searchIn("the name or the slug, or begins the id"), ids: idsParameter },
    async handle({ runtime, query, select }) {
      const page = query.ids
        ? await findListed<WorkflowView>({ ...query, ids: query.ids }, (id) => runtime.findWorkflow(id))
        : await runtime.workflows(parsePage(query), readSearch(query));
      return pageAnswer(page, idCursor, (workflow) => select(viewWorkflow(workflow)));
    },
  }),
  route("GET /workflows/:id", {
    name: "readWorkflow",
    summary: "Read a workflow with the names of its steps",
    answer: one("WorkflowDetail", "The workflow."),
    handle: async ({ runtime, params }) => viewWorkflowDetail(await runtime.findWorkflow(params.id)),
  }),
];
