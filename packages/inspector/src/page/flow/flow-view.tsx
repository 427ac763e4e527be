import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";

import { now } from "../app/clock.ts";
import { linkTo } from "../app/router.ts";
import { count } from "../text/format.ts";
import { arrowKey, type FlowArrow, type FlowGraph, type FlowNode, newEmitters } from "./flow-graph.ts";
import { layeredLayout, type Position } from "./layered-layout.ts";
import type { Rates } from "./rates.ts";

const size = { width: 176, height: 48, across: 92, down: 16, margin: 24 };
const longestName = 20;

const linkOf = ({ id, kind }: FlowNode): string => {
  if (kind === "all" || kind === "new") return linkTo(id === "p_*" ? "/workflows" : "/sources");
  return linkTo(`/${kind}s/${encodeURIComponent(id)}`);
};

interface Place {
  readonly x: number;
  readonly y: number;
}

const middleOf = ({ y }: Place): number => y + size.height / 2;

/** A curve from the right side of one node, between others, to the left side of another; backwards it leads around below. */
function curve(from: Place, bends: readonly Place[], to: Place): string {
  const [x1, y1] = [from.x + size.width, middleOf(from)];
  const [x2, y2] = [to.x - 2, middleOf(to)];
  if (x2 <= x1) {
    const below = Math.max(y1, y2) + size.height;
    return `M${x1} ${y1}C${x1 + 60} ${y1} ${x1 + 60} ${below} ${(x1 + x2) / 2} ${below}S${x2 - 60} ${y2} ${x2} ${y2}`;
  }
  let path = `M${x1} ${y1}`;
  let [x, y] = [x1, y1];
  const leadTo = (nextX: number, nextY: number): void => {
    const bend = (nextX - x) / 2;
    path += `C${x + bend} ${y} ${nextX - bend} ${nextY} ${nextX} ${nextY}`;
    [x, y] = [nextX, nextY];
  };
  for (const place of bends) {
    leadTo(place.x, middleOf(place));
    path += `H${place.x + size.width}`;
    x = place.x + size.width;
  }
  leadTo(x2, y2);
  return path;
}

interface ViewProps {
  readonly graph: FlowGraph;
  readonly rates: Rates;
}

const rateText = (perMinute: number): string => (perMinute === 0 ? "" : `${count(perMinute)}/min`);

interface NodeProps {
  readonly node: FlowNode;
  readonly at: Place;
  readonly perMinute: number;
  readonly select: (id: string | undefined) => void;
}

const kindLabels = {
  source: "source",
  workflow: "workflow",
  webhook: "webhook",
  all: "group",
  new: "from now on",
} as const;

const restOf = ({ kind, active }: FlowNode): string => {
  if (active) return "";
  return kind === "webhook" ? ", inactive" : kind === "workflow" ? ", not registered" : ", paused";
};

function NodeView({ node, at, perMinute, select }: NodeProps): JSX.Element {
  const { id, kind, name, active } = node;
  const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  const rate = rateText(perMinute);
  return (
    <a
      class={`flow-node ${kind} ${active ? "" : "paused"}`}
      href={linkOf(node)}
      onMouseEnter={() => select(id)}
      onMouseLeave={() => select(undefined)}
      onFocus={() => select(id)}
      onBlur={() => select(undefined)}
    >
      <rect class="box" x={at.x} y={at.y} width={size.width} height={size.height} rx="8" />
      <rect class="stripe" x={at.x} y={at.y + 10} width="3" height={size.height - 20} rx="1.5" />
      <text class="name" x={at.x + 14} y={at.y + 21}>
        {shown}
      </text>{" "}
      <text class="kind" x={at.x + 14} y={at.y + 37}>
        {kindLabels[kind]}
        {restOf(node)}
      </text>{" "}
      <text class="rate" x={at.x + size.width - 12} y={at.y + 37} text-anchor="end">
        {rate}
      </text>
    </a>
  );
}

/** The graph, with the rates of the last minute. The arrows of the node under the pointer or the focus stand out. */
export function FlowView({ graph, rates }: ViewProps): JSX.Element {
  const [selected, select] = useState<string>();
  const layout = useMemo(
    () =>
      layeredLayout(
        graph.nodes.map(({ id }) => id),
        graph.arrows,
      ),
    [graph],
  );
  const time = now.value;
  const placeAt = ({ column, row }: Position): Place => ({
    x: size.margin + column * (size.width + size.across),
    y: size.margin + row * (size.height + size.down),
  });
  const placeOf = (id: string): Place => placeAt(layout.positions.get(id) ?? { column: 0, row: 0 });
  const width = 2 * size.margin + layout.columns * (size.width + size.across) - size.across;
  const height = 2 * size.margin + layout.rows * (size.height + size.down) + size.height / 2;
  const touches = ({ from, to }: FlowArrow): boolean => from === selected || to === selected;
  return (
    <div class="flow-scroll" tabIndex={0} role="group" aria-label="Flow graph">
      <svg class="flow" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <defs>
          <marker
            id="flow-head"
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerUnits="userSpaceOnUse"
            markerWidth="10"
            markerHeight="10"
            orient="auto"
          >
            <path d="M1 1 6.500 4 1 7" fill="none" stroke="context-stroke" stroke-width="1.500" />
          </marker>
        </defs>
        <g aria-hidden="true">
          {graph.arrows.map((arrow) => {
            const perMinute = rates.perMinute(arrowKey(arrow), time);
            const [from, to] = [placeOf(arrow.from), placeOf(arrow.to)];
            const look = selected === undefined ? "" : touches(arrow) ? "near" : "far";
            const bends = layout.bendsOf(arrow).map(placeAt);
            const [bend] = bends;
            const middle = bend
              ? { x: bend.x + size.width / 2, y: middleOf(bend) }
              : { x: (from.x + size.width + to.x) / 2, y: (middleOf(from) + middleOf(to)) / 2 };
            const label = [arrow.eventName, rateText(perMinute)].filter(Boolean).join(" ");
            return (
              <g
                key={arrowKey(arrow)}
                class={`flow-arrow ${perMinute > 0 ? "busy" : ""} ${arrow.from === newEmitters ? "auto" : ""} ${look}`}
              >
                <path
                  d={curve(from, bends, to)}
                  marker-end="url(#flow-head)"
                  stroke-width={1.25 + Math.min(2.5, Math.log10(1 + perMinute))}
                />
                {label !== "" && (
                  <text x={middle.x} y={middle.y - 5} text-anchor="middle">
                    {label}
                  </text>
                )}
              </g>
            );
          })}
        </g>
        {graph.nodes.map((node) => (
          <NodeView
            key={node.id}
            node={node}
            at={placeOf(node.id)}
            perMinute={rates.perMinute(node.id, time)}
            select={select}
          />
        ))}
      </svg>
    </div>
  );
}
