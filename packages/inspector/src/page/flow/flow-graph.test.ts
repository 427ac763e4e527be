import type { ExecutionSummary } from "@x/client";
import { expect, test } from "vitest";

import { allRuns, countRun, flowGraph, type FlowNode, newEmitters } from "./flow-graph.ts";
import { createRates } from "./rates.ts";

const node = (id: string, kind: FlowNode["kind"]): FlowNode => ({ id, kind, name: id, active: true });
const nodes = [node("dc_1", "source"), node("dc_2", "source"), node("wh_1", "webhook")];

test("subscriptions, also of all sources, and auto-subscriptions are arrows from their nodes", () => {
  const graph = flowGraph(
    nodes,
    [
      { emitter_id: "dc_1", listener_id: "dc_2", event_name: "default" },
      { emitter_id: "dc_*", listener_id: "wh_1", event_name: "$errors" },
      { emitter_id: "dc_gone", listener_id: "wh_1", event_name: "" },
    ],
    [{ listener_id: "wh_1", event_name: "orders" }],
  );
  expect(graph.nodes.map(({ id, kind }) => [id, kind])).toEqual([
    ["dc_*", "all"],
    [newEmitters, "new"],
    ["dc_1", "source"],
    ["dc_2", "source"],
    ["wh_1", "webhook"],
  ]);
  expect(graph.arrows).toEqual([
    { from: "dc_1", to: "dc_2", eventName: "" },
    { from: "dc_*", to: "wh_1", eventName: "$errors" },
    { from: newEmitters, to: "wh_1", eventName: "orders" },
  ]);
});

test("what has no subscription is apart from the graph", () => {
  const [first, second, third] = nodes;
  const graph = flowGraph(nodes, [{ emitter_id: "dc_2", listener_id: "wh_1", event_name: "" }], []);
  expect(graph).toMatchObject({ nodes: [second, third], apart: [first] });
  expect(flowGraph(nodes, [], [])).toEqual({ nodes: [], arrows: [], apart: nodes });
});

test("no run counts at the node of new sources", () => {
  const { arrows } = flowGraph(nodes, [], [{ listener_id: "wh_1", event_name: "" }]);
  const rates = createRates();
  const run = { source_id: "dc_1", emitted_count: 2, status: "ok", log_count: 0, cause: null } as ExecutionSummary;
  countRun(run, arrows, rates, 0);
  expect(["dc_1", "wh_1", allRuns].map((key) => rates.perMinute(key, 0))).toEqual([1, 0, 1]);
});
