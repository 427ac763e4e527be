import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import { useResource } from "../api/resource.ts";
import { now } from "../app/clock.ts";
import { linkTo, place, setQuery } from "../app/router.ts";
import { Live } from "../runs/live.tsx";
import { count, plural } from "../text/format.ts";
import { useShortcuts } from "../app/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { LongList } from "../ui/long-list.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { TableCard } from "../ui/table.tsx";
import { allRuns, arrowKey, type FlowGraph, type FlowNode, pathOf } from "./flow-graph.ts";
import { loadGraph } from "./flow-load.ts";
import { problemOf } from "./flow-node.tsx";
import { FlowView } from "./flow-view.tsx";
import { useActivity } from "./flow-activity.ts";
import type { Rates } from "./rates.ts";
import { useZoom, type Zoom } from "./zoom.ts";

const maxDrawn = 400;

interface TableProps {
  readonly graph: FlowGraph;
  readonly rates: Rates;
  readonly isFailing: (id: string) => boolean;
}

function FlowTable({ graph, rates, isFailing }: TableProps): JSX.Element {
  const nodes = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph]);
  const time = now.value;
  return (
    <LongList
      label="Search subscriptions"
      items={graph.arrows}
      textsOf={({ from, to, eventName }) => [nodes.get(from)?.name, eventName, nodes.get(to)?.name]}
    >
      {(shown) => (
        <TableCard label="Subscriptions" columns={["From", "Events", "To", "Last minute"]}>
          {shown.map((arrow) => {
            const [from, to] = [nodes.get(arrow.from), nodes.get(arrow.to)];
            return (
              <tr key={arrowKey(arrow)}>
                <td>{from && <NodeLink node={from} isFailing={isFailing(arrow.from)} />}</td>
                <td class="mono">{arrow.eventName || "default"}</td>
                <td>{to && <NodeLink node={to} isFailing={isFailing(arrow.to)} />}</td>
                <td class="number">{count(rates.perMinute(arrowKey(arrow), time))}</td>
              </tr>
            );
          })}
        </TableCard>
      )}
    </LongList>
  );
}

function NodeLink({ node, isFailing }: { readonly node: FlowNode; readonly isFailing: boolean }): JSX.Element {
  const problem = problemOf(node, isFailing);
  return (
    <span class="row">
      <a class="cut" href={linkTo(pathOf(node))}>
        {node.name}
      </a>
      {problem !== "" && <Badge tone={node.active ? "bad" : "none"}>{problem}</Badge>}
    </span>
  );
}

/** What has no subscription. */
function Apart({ nodes }: { readonly nodes: readonly FlowNode[] }): JSX.Element | null {
  if (nodes.length === 0) return null;
  return (
    <details class="card flow-apart">
      <summary>{count(nodes.length)} without subscriptions</summary>
      <LongList label="Search what has no subscription" items={nodes} textsOf={({ name }) => [name]}>
        {(shown) => (
          <ul>
            {shown.map((node) => (
              <li key={node.id} class="row">
                <span class="dim">{node.kind}</span>
                <NodeLink node={node} isFailing={false} />
              </li>
            ))}
          </ul>
        )}
      </LongList>
    </details>
  );
}

function ZoomButtons({ zoom }: { readonly zoom: Zoom }): JSX.Element {
  useShortcuts([
    { key: "+", about: "Larger", act: () => zoom.change(1) },
    { key: "-", about: "Smaller", act: () => zoom.change(-1) },
    { key: "0", about: "Fit the graph into the window", act: zoom.fit },
  ]);
  return (
    <div class="row">
      <Button look="quiet" icon="less" label="Smaller" iconOnly act={() => zoom.change(-1)} />
      <Button look="quiet" icon="add" label="Larger" iconOnly act={() => zoom.change(1)} />
      <Button look="quiet" icon="fit" label="Fit" disabled={zoom.isFit} act={zoom.fit} />
    </div>
  );
}

const views = [
  { value: "", label: "Graph" },
  { value: "table", label: "Table" },
] as const;

/** Sources, workflows and webhooks, and the subscriptions between them, with live rates. */
export default function FlowPage(): JSX.Element {
  const loaded = useResource("flow", loadGraph);
  const { data: graph } = loaded;
  const { rates, isFailing, state } = useActivity(graph);
  const zoom = useZoom();
  const isLarge = (graph?.nodes.length ?? 0) > maxDrawn;
  const view = place.value.query.get("view") === "table" || isLarge ? "table" : "";
  const isDrawn = graph !== undefined && graph.arrows.length > 0 && view === "";
  return (
    <div class="page-fill flow-page">
      <PageHead title="Flow">
        <Live state={state} />
        <span class="dim number">{plural(rates.perMinute(allRuns, now.value), "run")} in the last minute</span>
      </PageHead>
      <div class="bar">
        <Chips label="View" value={view} choices={views} change={(next) => setQuery({ view: next })} />
        <span class="grow" />
        {isDrawn && <ZoomButtons zoom={zoom} />}
      </div>
      <div class={`page-body ${isDrawn ? "with-graph" : ""}`}>
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!graph && loaded.loading && <Loading />}
        {isDrawn ? (
          <FlowView graph={graph} rates={rates} isFailing={isFailing} zoom={zoom} />
        ) : (
          graph &&
          (graph.arrows.length > 0 ? (
            <FlowTable graph={graph} rates={rates} isFailing={isFailing} />
          ) : (
            <Empty title="Nothing flows yet">
              <p>Subscriptions between sources, workflows and webhooks are drawn here.</p>
              <p>
                <code>x subscriptions add EMITTER LISTENER</code> makes one.
              </p>
            </Empty>
          ))
        )}
        {graph && <Apart nodes={graph.apart} />}
      </div>
    </div>
  );
}
