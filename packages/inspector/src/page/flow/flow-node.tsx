import type { JSX } from "preact";

import { linkTo } from "../app/router.ts";
import { count } from "../text/format.ts";
import { type FlowNode, pathOf } from "./flow-graph.ts";

/** The size of a node. */
export const nodeSize = { width: 176, height: 48 } as const;
const longestName = 20;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export const rateText = (perMinute: number): string => (perMinute === 0 ? "" : `${count(perMinute)}/min`);

const kindLabels = {
  source: "source",
  workflow: "workflow",
  webhook: "webhook",
  all: "group",
  new: "from now on",
} as const;

const inactiveLabels: Readonly<Record<string, string>> = { webhook: "inactive", workflow: "not registered" };

/** What keeps events from passing a node; empty when nothing does. */
export const problemOf = ({ kind, active }: FlowNode, isFailing: boolean): string =>
  !active ? (inactiveLabels[kind] ?? "paused") : isFailing ? "failing" : "";

interface NodeProps {
  readonly node: FlowNode;
  readonly at: Place;
  readonly perMinute: number;
  readonly isFailing: boolean;
  readonly select: (id: string | undefined) => void;
}

/** A node of the graph, which leads to its page. */
export function FlowNodeView({ node, at, perMinute, isFailing, select }: NodeProps): JSX.Element {
  const { id, kind, name, active } = node;
  const { width, height } = nodeSize;
  const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  const problem = problemOf(node, isFailing);
  const look = !active ? "paused" : isFailing ? "failing" : "";
  return (
    <a
      class={`flow-node ${kind} ${look}`}
      href={linkTo(pathOf(node))}
      onMouseEnter={() => select(id)}
      onMouseLeave={() => select(undefined)}
      onFocus={() => select(id)}
      onBlur={() => select(undefined)}
    >
      <rect class="box" x={at.x} y={at.y} width={width} height={height} rx="8" />
      <rect class="stripe" x={at.x} y={at.y + 10} width="3" height={height - 20} rx="1.5" />
      <text class="name" x={at.x + 14} y={at.y + 21}>
        {shown}
      </text>{" "}
      <text class="kind" x={at.x + 14} y={at.y + 37}>
        {kindLabels[kind]}
        {problem !== "" && <tspan class="node-problem">, {problem}</tspan>}
      </text>{" "}
      <text class="rate" x={at.x + width - 12} y={at.y + 37} text-anchor="end">
        {rateText(perMinute)}
      </text>
    </a>
  );
}
