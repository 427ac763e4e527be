import { node, viewNode } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { all } from "../route-answer.ts";

const route = tagged("Service");

/** The processes that share the data, for the first user. */
export const nodeRoutes: readonly Route[] = [
  route("GET /nodes", {
    name: "listNodes",
    firstUserOnly: true,
    summary: "List the processes that share the data, oldest first",
    description: "Only the first user has this path. With a data folder there is one; several can share a PostgreSQL.",
    answer: all(node, "All nodes, without pages."),
    handle: async ({ service }) => (await service.nodes()).map(viewNode),
  }),
];
