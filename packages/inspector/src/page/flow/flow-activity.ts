import type { ExecutionSummary } from "@x/client";
import { useEffect, useMemo, useState } from "preact/hooks";

import { followBatches } from "../api/follow-batches.ts";
import type { FollowState } from "../api/follow.ts";
import { readPages } from "../api/pages.ts";
import { usePolling } from "../api/polling.ts";
import { useResource } from "../api/resource.ts";
import { now } from "../app/clock.ts";
import { countRun, type FlowGraph } from "./flow-graph.ts";
import { readFailingSources, readFailingWebhooks } from "./flow-load.ts";
import { createRates, type Rates } from "./rates.ts";

/** What passes a graph now. */
export interface Activity {
  readonly rates: Rates;
  readonly isFailing: (id: string) => boolean;
  readonly state: FollowState;
}

const minuteMs = 60_000;
const maxRuns = 2_000;
const webhooksEveryMs = 10_000;

/** The runs of the last minute, newest first. */
async function readRecent(signal: AbortSignal): Promise<readonly ExecutionSummary[]> {
  const runs: ExecutionSummary[] = [];
  const query = { since: Math.floor(now.value - minuteMs) };
  for await (const page of readPages<ExecutionSummary>("/executions", query, signal)) {
    runs.push(...page.data);
    if (runs.length >= Math.min(maxRuns, page.page_info.total_count)) break;
  }
  return runs;
}

/** Counts runs as they end, and those of the last minute, and knows what fails. */
export function useActivity(graph: FlowGraph | undefined): Activity {
  const rates = useMemo(createRates, []);
  const failing = useMemo(() => new Set<string>(), []);
  const [state, setState] = useState<FollowState>("connecting");
  const [, draw] = useState(0);
  const webhooks = useResource("failing webhooks", readFailingWebhooks);
  usePolling(webhooks, webhooksEveryMs);
  useEffect(() => {
    if (!graph) return undefined;
    const stop = new AbortController();
    const counted = new Set<string>();
    /** The clock of the page draws it too, but a manual one stands. */
    const redraw = (): void => draw((turn) => turn + 1);
    function count(run: ExecutionSummary): void {
      if (counted.has(run.execution_id)) return;
      counted.add(run.execution_id);
      if (counted.size > maxRuns) for (const oldest of counted) if (counted.delete(oldest)) break;
      countRun(run, graph?.arrows ?? [], rates, run.ended_at);
    }
    const ids = graph.nodes.filter(({ kind }) => kind === "source").map(({ id }) => id);
    void readFailingSources(ids, stop.signal).then(
      (found) => {
        found.forEach((id) => failing.add(id));
        redraw();
      },
      () => undefined,
    );
    void readRecent(stop.signal).then(
      (runs) => {
        runs.forEach(count);
        redraw();
      },
      () => undefined,
    );
    const stopFollowing = followBatches({
      route: "GET /executions/stream",
      parts: {},
      take(runs: readonly ExecutionSummary[]) {
        for (const run of runs) {
          count(run);
          if (run.status === "ok") failing.delete(run.source_id);
          else failing.add(run.source_id);
        }
        redraw();
      },
      state: setState,
    });
    return () => {
      stop.abort();
      stopFollowing();
    };
  }, [graph]);
  return { rates, isFailing: (id) => failing.has(id) || (webhooks.data ?? []).includes(id), state };
}
