import type * as Rest from "@x/client";
import type { NodeView } from "@x/runtime";

import { record, type Schema, seconds, whole } from "./shapes.ts";
import { viewBy } from "./view.ts";

/** A process that shares the data. */
export const node: Schema = {
  ...record({
    id: { type: "string", description: "Differs after every start." },
    since: { ...seconds, description: "When it began, epoch seconds." },
    sources: whole("Sources and workflows that it runs."),
    slots: whole("Of the 1,024 slots that sources are divided into."),
    queue_depth: whole("Triggers that wait for their runs."),
    lag_ms: whole("How late its last sign of life is, in milliseconds."),
    is_self: { type: "boolean", description: "True for the node that answers." },
  }),
  examples: [
    {
      id: "n_0b6c1f0e-6f5b-4f0c-9d5e-0f1f7d1f4d3a",
      since: 1_795_200_000,
      sources: 24,
      slots: 512,
      queue_depth: 0,
      lag_ms: 120,
      is_self: true,
    },
  ],
};

const nodeView = viewBy<Rest.DataOf<"GET /nodes">[number], "lag_ms">(node);

export const viewNode = (given: NodeView): Rest.DataOf<"GET /nodes">[number] =>
  nodeView(given, { lag_ms: Math.round(given.lagMs) });
