import type { AutoSubscription, ExecutionSummary, Subscription } from "@x/client";
import type { Arrow } from "./layered-layout.ts";
import type { Rates } from "./rates.ts";

/** A source, a workflow, a webhook, all sources or workflows, or all emitters to come. */
export interface FlowNode {
  readonly id: string;
  readonly kind: "source" | "workflow" | "webhook" | "all" | "new";
  readonly name: string;
  readonly active: boolean;
}

/** A subscription, or from `newEmitters` an auto-subscription. */
export interface FlowArrow extends Arrow {
  /** `$errors`, `$logs`, a channel, or empty. */
  readonly eventName: string;
}

export interface FlowGraph {
  readonly nodes: readonly FlowNode[];
  readonly arrows: readonly FlowArrow[];
  /** What has no subscription, and is listed beside the graph. */
  readonly apart: readonly FlowNode[];
}

/** The node of emitters that do not exist yet: auto-subscriptions lead from there. */
export const newEmitters = "new";

const allNames: Readonly<Record<string, string>> = {
  "dc_*": "All sources",
  "p_*": "All workflows",
  [newEmitters]: "New sources",
};

/** The graph of subscriptions. */
export function flowGraph(
  known: readonly FlowNode[],
  subscriptions: readonly Subscription[],
  automatic: readonly AutoSubscription[],
): FlowGraph {
  const all = [...subscriptions, ...automatic.map((each) => ({ ...each, emitter_id: newEmitters }))];
  const arrows = all.map(({ emitter_id: from, listener_id: to, event_name: name }): FlowArrow => ({
    from,
    to,
    eventName: name === "default" ? "" : name,
  }));
  const used = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const globs = Object.entries(allNames)
    .filter(([id]) => used.has(id))
    .map(([id, name]): FlowNode => ({ id, kind: id === newEmitters ? "new" : "all", name, active: true }));
  const nodes = [...globs, ...known.filter(({ id }) => used.has(id))];
  const ids = new Set(nodes.map(({ id }) => id));
  return {
    nodes,
    arrows: arrows.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    apart: known.filter(({ id }) => !used.has(id)),
  };
}

/** Where a node leads to. */
export const pathOf = ({ id, kind }: FlowNode): string => {
  if (kind === "all" || kind === "new") return id === "p_*" ? "/workflows" : "/sources";
  return `/${kind}s/${encodeURIComponent(id)}`;
};

export const arrowKey = ({ from, to, eventName }: FlowArrow): string => `${from} ${to} ${eventName}`;

/** Events that a run gives to a subscription to a stream; undefined when the summary does not tell. */
function eventsOf(run: ExecutionSummary, eventName: string): number | undefined {
  if (eventName === "") return run.emitted_count;
  if (eventName === "$errors") return run.status === "ok" ? 0 : 1;
  if (eventName === "$logs") return run.log_count;
  return undefined;
}

/** The key under which the runs of all sources are counted. */
export const allRuns = "runs";

/** Counts a run that has ended: at its source, at the arrow that led to it, and at those to webhooks. */
export function countRun(run: ExecutionSummary, arrows: readonly FlowArrow[], rates: Rates, now: number): void {
  rates.add(run.source_id, 1, now);
  rates.add(allRuns, 1, now);
  for (const arrow of arrows) {
    const isCause = run.cause?.source_id === arrow.from && arrow.to === run.source_id;
    const isOf =
      arrow.from === run.source_id || (arrow.from.endsWith("*") && run.source_id.startsWith(arrow.from.slice(0, -1)));
    if (isCause) rates.add(arrowKey(arrow), 1, now);
    else if (isOf && arrow.to.startsWith("wh_")) {
      const count = eventsOf(run, arrow.eventName) ?? 0;
      if (count > 0) {
        rates.add(arrowKey(arrow), count, now);
        rates.add(arrow.to, count, now);
      }
    }
  }
}
