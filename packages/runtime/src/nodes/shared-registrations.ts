import type { Source } from "../model/model.ts";
import type { Registration } from "../workflows/workflow-registration.ts";
import type { ShareRegistration } from "../workflows/workflows.ts";
import type { Router } from "./router.ts";

/** Brings the registration of a workflow to the node that runs it. Functions of the program stay where they are. */
export const createSharedRegistrations =
  (router: Router): ShareRegistration =>
  (put) => {
    const method = "workflow.put";
    router.answer(method, ({ args: [registration] }) => put(registration as Registration));
    return (registration, here) => {
      const { id, input } = registration;
      const { settings } = input;
      const sent = { ...registration, input: settings ? { settings } : {} };
      return router.call<Source>({ to: id, method, args: [sent] }, here);
    };
  };
