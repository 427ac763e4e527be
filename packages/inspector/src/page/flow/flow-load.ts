import type { AutoSubscription, Source, Subscription, Webhook } from "@x/client";

import { request } from "../api/client.ts";
import { type Paged, readAll } from "../api/pages.ts";
import type { DataOf } from "../api/shapes.ts";
import { conditionOf } from "../webhooks/condition.ts";
import { type FlowGraph, flowGraph, type FlowNode } from "./flow-graph.ts";

interface Listed {
  readonly id: string;
  readonly name: string | null;
  readonly url?: string;
  readonly active: boolean;
}

const maxNodes = 10_000;
const fields = { include: "id,name,url,active" };

/** Everything that can be connected, and what is. */
export async function loadGraph(signal: AbortSignal): Promise<FlowGraph> {
  const kinds = ["source", "workflow", "webhook"] as const;
  const [lists, subscriptions, automatic] = await Promise.all([
    Promise.all(kinds.map((kind) => readAll<Listed>(`/users/me/${kind}s`, fields, maxNodes, signal))),
    request<DataOf<readonly Subscription[]>>("GET", "/users/me/subscriptions", { signal }),
    request<DataOf<readonly AutoSubscription[]>>("GET", "/users/me/auto_subscriptions", { signal }),
  ]);
  const nodes = kinds.flatMap((kind, index) =>
    (lists[index] ?? []).map(({ id, name, url, active }): FlowNode => ({ id, kind, name: name ?? url ?? id, active })),
  );
  return flowGraph(nodes, subscriptions.data, automatic.data);
}

const maxIds = 100;
/** Those of a larger graph are not asked for. */
const maxStates = 400;

/** The sources among these whose last run failed. */
export async function readFailingSources(ids: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const failing: string[] = [];
  for (let from = 0; from < Math.min(ids.length, maxStates); from += maxIds) {
    const some = ids.slice(from, from + maxIds).join(",");
    const query = { ids: some, limit: maxIds, expand: "state", include: "id,state" };
    const { data } = await request<Paged<Source>>("GET", "/users/me/sources", { query, signal });
    failing.push(...data.filter(({ state }) => (state?.last_execution?.status ?? "ok") !== "ok").map(({ id }) => id));
  }
  return failing;
}

/** The webhooks whose last attempt failed. */
export async function readFailingWebhooks(signal: AbortSignal): Promise<readonly string[]> {
  const query = { expand: "state", include: "id,active,state" };
  const webhooks = await readAll<Webhook>("/users/me/webhooks", query, maxStates, signal);
  return webhooks.filter((webhook) => conditionOf(webhook) === "failing").map(({ id }) => id);
}
