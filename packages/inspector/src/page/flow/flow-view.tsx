import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { now } from "../app/clock.ts";
import { arrowKey, type FlowArrow, type FlowGraph, newEmitters } from "./flow-graph.ts";
import { FlowNodeView, nodeSize, type Place, rateText } from "./flow-node.tsx";
import { layeredLayout, type Position } from "./layered-layout.ts";
import type { Rates } from "./rates.ts";
import type { Zoom } from "./zoom.ts";

const size = { ...nodeSize, across: 92, down: 16, margin: 24 };

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
  readonly isFailing: (id: string) => boolean;
  readonly zoom: Zoom;
}

/** The graph, with the rates of the last minute. The arrows of the node under the pointer or the focus stand out. */
export function FlowView({ graph, rates, isFailing, zoom }: ViewProps): JSX.Element {
  const [selected, select] = useState<string>();
  const layout = useMemo(
    () =>
      layeredLayout(
        graph.nodes.map(({ id }) => id),
        graph.arrows,
      ),
    [graph],
  );
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (frame.current ? zoom.observe(frame.current) : undefined), []);
  const time = now.value;
  const placeAt = ({ column, row }: Position): Place => ({
    x: size.margin + column * (size.width + size.across),
    y: size.margin + row * (size.height + size.down),
  });
  const placeOf = (id: string): Place => placeAt(layout.positions.get(id) ?? { column: 0, row: 0 });
  const width = 2 * size.margin + layout.columns * (size.width + size.across) - size.across;
  const height = 2 * size.margin + layout.rows * (size.height + size.down) + size.height / 2;
  const scale = zoom.scaleOf({ width, height });
  const touches = ({ from, to }: FlowArrow): boolean => from === selected || to === selected;
  return (
    <div class="flow-scroll" tabIndex={0} role="group" aria-label="Flow graph" ref={frame}>
      <svg class="flow" width={width * scale} height={height * scale} viewBox={`0 0 ${width} ${height}`}>
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
          <FlowNodeView
            key={node.id}
            node={node}
            at={placeOf(node.id)}
            perMinute={rates.perMinute(node.id, time)}
            isFailing={isFailing(node.id)}
            select={select}
          />
        ))}
      </svg>
    </div>
  );
}
