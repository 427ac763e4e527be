import type { AutoSubscription, ExecutionSummary, Subscription } from "@x/client";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { follow, type FollowState } from "../api/follow.ts";
import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { now } from "../app/clock.ts";
import { linkTo, place, setQuery } from "../app/router.ts";
import { Live } from "../runs/live.tsx";
import { count, plural } from "../text/format.ts";
import { Chips } from "../ui/chips.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Empty, Loading, Problem } from "../ui/status.tsx";
import { TableCard } from "../ui/table.tsx";
import { arrowKey, countRun, type FlowGraph, flowGraph, type FlowNode, newEmitters } from "./flow-graph.ts";
import { FlowView } from "./flow-view.tsx";
import { createRates, type Rates } from "./rates.ts";

interface Listed {
  readonly id: string;
  readonly name: string | null;
  readonly url?: string;
  readonly active: boolean;
}

const mostNodes = 10_000;
const mostDrawn = 400;
const fields = { include: "id,name,url,active" };

async function loadGraph(signal: AbortSignal): Promise<FlowGraph> {
  const kinds = ["source", "workflow", "webhook"] as const;
  const [lists, subscriptions, automatic] = await Promise.all([
    Promise.all(kinds.map((kind) => readAll<Listed>(`/users/me/${kind}s`, fields, mostNodes, signal))),
    request<DataOf<readonly Subscription[]>>("GET", "/users/me/subscriptions", { signal }),
    request<DataOf<readonly AutoSubscription[]>>("GET", "/users/me/auto_subscriptions", { signal }),
  ]);
  const nodes = kinds.flatMap((kind, index) =>
    (lists[index] ?? []).map(({ id, name, url, active }): FlowNode => ({ id, kind, name: name ?? url ?? id, active })),
  );
  return flowGraph(nodes, subscriptions.data, automatic.data);
}

/** Counts runs as they end. */
function useRates(graph: FlowGraph | undefined): { readonly rates: Rates; readonly state: FollowState } {
  const rates = useMemo(createRates, []);
  const [state, setState] = useState<FollowState>("connecting");
  useEffect(() => {
    if (!graph) return undefined;
    return follow({
      route: "GET /executions/stream",
      parts: {},
      event({ name, data }) {
        if (name === "message") countRun(JSON.parse(data) as ExecutionSummary, graph.arrows, rates, Date.now());
      },
      state: setState,
    });
  }, [graph]);
  return { rates, state };
}

const linkOf = (id: string): string => {
  const kind = id.startsWith("wh_") ? "webhooks" : id.startsWith("p_") ? "workflows" : "sources";
  return linkTo(id.endsWith("*") || id === newEmitters ? `/${kind}` : `/${kind}/${encodeURIComponent(id)}`);
};

function FlowTable({ graph, rates }: { readonly graph: FlowGraph; readonly rates: Rates }): JSX.Element {
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]));
  const time = now.value;
  return (
    <TableCard label="Subscriptions" columns={["From", "Events", "To", "Last minute"]}>
      {graph.arrows.map((arrow) => (
        <tr key={arrowKey(arrow)}>
          <td>
            <a href={linkOf(arrow.from)}>{names.get(arrow.from)}</a>
          </td>
          <td class="mono">{arrow.eventName || "default"}</td>
          <td>
            <a href={linkOf(arrow.to)}>{names.get(arrow.to)}</a>
          </td>
          <td class="number">{count(rates.perMinute(arrowKey(arrow), time))}</td>
        </tr>
      ))}
    </TableCard>
  );
}

const views = [
  { value: "", label: "Graph" },
  { value: "table", label: "Table" },
] as const;

/** Sources, workflows and webhooks, and the subscriptions between them, with live rates. */
export default function FlowPage(): JSX.Element {
  const loaded = useResource("flow", loadGraph);
  const graph = loaded.data;
  const { rates, state } = useRates(graph);
  const isLarge = (graph?.nodes.length ?? 0) > mostDrawn;
  const view = place.value.query.get("view") === "table" || isLarge ? "table" : "";
  return (
    <>
      <PageHead title="Flow">
        <Live state={state} />
      </PageHead>
      <div class="bar">
        <Chips label="View" value={view} choices={views} change={(next) => setQuery({ view: next })} />
        <span class="grow" />
        {graph && graph.apart > 0 && (
          <span class="dim">{plural(graph.apart, "source")} without subscriptions are not shown</span>
        )}
      </div>
      <div class="page-body flow-page">
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!graph && loaded.loading && <Loading />}
        {graph &&
          (graph.nodes.length === 0 ? (
            <Empty title="Nothing flows yet">
              <p>Subscriptions between sources, workflows and webhooks are drawn here.</p>
            </Empty>
          ) : view === "table" ? (
            <FlowTable graph={graph} rates={rates} />
          ) : (
            <FlowView graph={graph} rates={rates} />
          ))}
      </div>
    </>
  );
}
