import type * as Rest from "@x/client";
import type { WorkflowDetail, WorkflowView } from "@x/runtime";

import { record, type Schema, seconds, text } from "./shapes.ts";
import { warnings } from "./sources.ts";
import { viewBy } from "./view.ts";

const workflow = {
  id: text("Starts with `p_`."),
  name: text("Its name."),
  name_slug: text("The name as a slug, by which configs and commands find it."),
  active: { type: "boolean", description: "Whether the running service has registered it." },
  endpoint_url: text("Where requests trigger it, when they do."),
  created_at: seconds,
  updated_at: seconds,
};

const workflowExample = {
  id: "p_9bLx2QwZr4TnYc",
  name: "Orders",
  name_slug: "orders",
  active: true,
  endpoint_url: "http://127.0.0.1:7777/in/4q0c9x5d7m2k8r1v6t3b0n9z5w7p",
  created_at: 1_795_200_000,
  updated_at: 1_795_200_000,
};

/** Schemas of workflows, by name. */
export const workflowSchemas: Readonly<Record<"Workflow" | "WorkflowDetail", Schema>> = {
  Workflow: { ...record(workflow, ["endpoint_url"]), examples: [workflowExample] },
  WorkflowDetail: {
    ...record(
      {
        ...workflow,
        steps: {
          type: "array",
          items: { type: "string" },
          description: "Names in order; empty when a function of the embedding process runs instead.",
        },
        awaited_source: text("The name of the source that its trigger waits for, while there is none."),
        warnings,
      },
      ["endpoint_url", "awaited_source", "warnings"],
    ),
    examples: [{ ...workflowExample, steps: ["words", "tell"] }],
  },
};

/** A workflow; fields that need its code are absent. */
export const viewWorkflow: (workflow: WorkflowView) => Rest.Workflow = viewBy<Rest.Workflow>(workflowSchemas.Workflow);

/** A workflow with the names of its steps. */
export const viewWorkflowDetail: (workflow: WorkflowDetail) => Rest.WorkflowDetail = viewBy<Rest.WorkflowDetail>(
  workflowSchemas.WorkflowDetail,
);
