import type { Webhooks } from "../webhooks/webhooks.ts";
import type { Router } from "./router.ts";

/** Deactivates each webhook on the node that has its slot, as its other changes. */
export function shareWebhooks(own: Webhooks, router: Router): Webhooks {
  const method = "webhook.deactivate";
  router.answer(method, ({ args: [id] }) => own.deactivate(id as string));
  return {
    ...own,
    deactivate: (id) => router.call({ to: id, method, args: [id] }, () => own.deactivate(id)),
  };
}
