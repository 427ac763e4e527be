import type { Execution, ExecutionSummary } from "@x/client";
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { messageOf, request } from "../api/client.ts";
import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { notify } from "../app/notices.ts";
import { count, plural } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Progress } from "../ui/progress.tsx";
import { Loading, Problem } from "../ui/status.tsx";
import { runsToReplay } from "./failed-runs.ts";
import { queryOf, type RunFilter } from "./run-filter.ts";
import { pathOfRuns } from "./run-list.ts";

const maxRuns = 1_000;

/** How far a replay of many is; undefined while there is none. */
const progress = signal<{ readonly done: number; readonly total: number } | undefined>(undefined);

/** Replays one after another, and says in the end how many failed again. */
async function replayAll(runs: readonly ExecutionSummary[]): Promise<void> {
  const total = runs.length;
  let failed = 0;
  let refusal = "";
  for (const [done, { execution_id: id }] of runs.entries()) {
    progress.value = { done, total };
    try {
      const { data } = await request<DataOf<Execution>>("POST", `/executions/${id}/replay`, { body: {} });
      if (data.status !== "ok") failed += 1;
    } catch (error) {
      failed += 1;
      refusal ||= ` (${messageOf(error)})`;
    }
  }
  progress.value = undefined;
  const replayed = `${plural(total, "run")} replayed`;
  if (failed === 0) notify("done", `${replayed}, and all of them succeeded`);
  else notify("failed", `${replayed}: ${count(total - failed)} succeeded, ${count(failed)} failed${refusal}`);
}

function ReplayDialog({ filter, close }: { readonly filter: RunFilter; readonly close: () => void }): JSX.Element {
  const status = filter.status === "" ? "failed" : filter.status;
  const loaded = useResource("failed", async (signal) =>
    runsToReplay(
      await readAll<ExecutionSummary>(pathOfRuns(filter.source), queryOf({ ...filter, status }), maxRuns, signal),
    ),
  );
  const runs = loaded.data ?? [];
  function start(): void {
    close();
    void replayAll(runs);
  }
  return (
    <Dialog
      title="Replay failed runs"
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          {runs.length > 0 && <Button look="main-action" label={`Replay ${plural(runs.length, "run")}`} act={start} />}
        </>
      }
    >
      {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
      {!loaded.data && loaded.loading && <Loading />}
      {loaded.data && (
        <p class="dim">
          {runs.length === 0
            ? "No run of this list failed."
            : "Each gets its event again, oldest first, in the present state of its source; also one that was replayed before."}
        </p>
      )}
    </Dialog>
  );
}

/** Replays all failed runs of a list; while they run, how far that is. */
export function ReplayFailed({ filter }: { readonly filter: RunFilter }): JSX.Element | null {
  const [asking, ask] = useState(false);
  if (progress.value) return <Progress label="Replayed" {...progress.value} />;
  if (filter.status === "ok") return null;
  return (
    <>
      <Button look="quiet" icon="reload" label="Replay failed" act={() => ask(true)} />
      {asking && <ReplayDialog filter={filter} close={() => ask(false)} />}
    </>
  );
}
