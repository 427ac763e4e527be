import { jsonAnswer } from "@x/http";
import { node, record, viewNode } from "@x/resources";
import { defineRoute, type Route } from "../route.ts";

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
