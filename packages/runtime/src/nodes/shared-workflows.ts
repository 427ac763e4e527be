import type { Source } from "@x/model";
import type { Registration } from "../workflows/workflow-registration.ts";
import type { WorkflowRegistry } from "../workflows/workflow-registry.ts";
import type { StoreRegistration, Workflows } from "../workflows/workflows.ts";
import type { Router } from "./router.ts";

export interface SharedWorkflowsParts {
  readonly router: Router;
  readonly registry: Pick<WorkflowRegistry, "isUnregistered" | "add">;
}

/** Stores the registration of a workflow on the node that runs it. Functions of the program stay where they are. */
export function shareWorkflows(own: Workflows, { router, registry }: SharedWorkflowsParts): Workflows {
  const method = "workflow.put";
  router.answer(method, ({ args: [registration] }) => own.store(registration as Registration));
  const storeWith: StoreRegistration = (registration, here) => {
    const { id, input } = registration;
    const { settings } = input;
    const sent = { ...registration, input: settings ? { settings } : {} };
    return router.call<Source>({ to: id, method, args: [sent] }, here);
  };
  return {
    ...own,
    async register(input, userId) {
      const view = await own.register(input, userId, storeWith);
      // Another node may have stored it; the source may come to this one.
      if (registry.isUnregistered(view.id)) registry.add(view.id, input.handler);
      return view;
    },
  };
}
