import type * as Rest from "@x/client";
import type { AutoSubscription, Subscription } from "@x/runtime";

import { record, type Schema, seconds, text } from "./shapes.ts";
import { viewBy } from "./view.ts";

/** Schemas of subscriptions, by name. */
export const subscriptionSchemas: Readonly<Record<"Subscription" | "AutoSubscription", Schema>> = {
  Subscription: {
    ...record({
      id: text("Starts with `sub_`."),
      emitter_id: text("A source or workflow, or `dc_*` or `p_*` for all of them."),
      listener_id: text("A source, workflow or webhook."),
      event_name: text("`$errors`, `$logs`, a channel; empty and `default` are the default stream."),
    }),
    examples: [
      { id: "sub_8aaW01xPqz", emitter_id: "dc_h7Tq2Wn4Zx", listener_id: "wh_3fDk20TqLm", event_name: "$errors" },
    ],
  },
  AutoSubscription: {
    ...record({
      id: text("Starts with `asub_`."),
      event_name: text("As in a subscription."),
      listener_id: text("A source, workflow or webhook."),
      created_at: seconds,
    }),
    examples: [{ id: "asub_5tR2bYv8Kc", event_name: "", listener_id: "wh_3fDk20TqLm", created_at: 1_795_200_000 }],
  },
};

export const viewSubscription: (subscription: Subscription) => Rest.Subscription = viewBy<Rest.Subscription>(
  subscriptionSchemas.Subscription,
);

export const viewAutoSubscription: (subscription: AutoSubscription) => Rest.AutoSubscription =
  viewBy<Rest.AutoSubscription>(subscriptionSchemas.AutoSubscription);
