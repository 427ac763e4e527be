import type * as Rest from "@x/client";
import type { NodeView } from "@x/runtime";

import { jsonAnswer } from "@x/http";
import { record } from "../openapi/shapes.ts";
import { defineRoute, type Route, type Schema } from "../route.ts";

const whole = (description: string): Schema => ({ type: "integer", description });

const node: Schema = {
  ...record({
    id: { type: "string", description: "Differs after every start." },
    since: whole("When it began, epoch seconds."),
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

const viewNode = ({
  id,
  since,
  sources,
  slots,
  queueDepth,
  lagMs,
  isSelf,
}: NodeView): Rest.DataOf<"GET /nodes">[number] => ({
  id,
  since: Math.floor(since / 1000),
  sources,
  slots,
  queue_depth: queueDepth,
  lag_ms: Math.round(lagMs),
  is_self: isSelf,
});

/** The processes that share the data, for the first user. */
export const nodeRoutes: readonly Route[] = [
  defineRoute({
    name: "listNodes",
    tag: "Service",
    method: "GET",
    path: "/nodes",
    firstUserOnly: true,
    summary: "List the processes that share the data, oldest first",
    description: "Only the first user has this path. With a data folder there is one; several can share a PostgreSQL.",
    answer: {
      status: 200,
      description: "All nodes, without pages.",
      schema: record({ data: { type: "array", items: node } }),
    },
    async handle({ service, select }) {
      return jsonAnswer(200, { data: (await service.nodes()).map((each) => select(viewNode(each))) });
    },
  }),
];
