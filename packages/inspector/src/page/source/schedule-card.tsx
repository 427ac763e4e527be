import type { Execution, Source } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt } from "../app/notices.ts";
import { goTo } from "../app/router.ts";
import { Part } from "../runs/part.tsx";
import { linkToRun } from "../runs/run-links.ts";
import { exactTime, span } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Ago } from "../ui/status.tsx";
import { Table } from "../ui/table.tsx";

interface Timer {
  readonly cron?: string | null;
  readonly interval_seconds?: number | null;
  readonly timezone?: string;
}

const isTimer = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("interval_seconds" in value || "cron" in value);

/** The configured timer of a source. */
export const timerOf = (props: Source["configured_props"]): Timer | undefined =>
  Object.values(props).find(isTimer) as Timer | undefined;

/** A time on the clock of a zone. */
const timeIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(at);

const own = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Runs a timer as of a chosen time. */
function RunTick({ id }: Pick<Source, "id">): JSX.Element {
  const [at, setAt] = useState("");
  async function run(): Promise<void> {
    await attempt(async () => {
      const tick = at === "" ? {} : { tick_at_ms: new Date(at).getTime() };
      const body = { ...tick, force: true };
      const { data } = await request<DataOf<Execution>>("POST", `/sources/${id}/run`, { body });
      goTo(linkToRun(data.execution_id));
    });
  }
  return (
    <div class="row wrap">
      <input
        class="input fitting-text"
        type="datetime-local"
        step="1"
        aria-label="Time of the tick"
        value={at}
        onInput={({ currentTarget }) => setAt(currentTarget.value)}
      />
      <Button icon="play" label={at === "" ? "Run a tick of now" : "Run this tick"} act={run} />
    </div>
  );
}

/** When a source runs by itself: its schedule, its next ticks in the reader's zone and in that of the schedule. */
export function ScheduleCard({ source }: { readonly source: Source }): JSX.Element | null {
  const timer = timerOf(source.configured_props);
  if (!timer) return null;
  const zone = timer.timezone ?? "UTC";
  const ticks = source.state?.next_ticks_at_ms ?? [];
  const rule = timer.cron ? `${timer.cron} in ${zone}` : `every ${span((timer.interval_seconds ?? 0) * 1_000)}`;
  return (
    <Part title="Schedule" end={<code>{rule}</code>}>
      <div class="stack">
        {ticks.length === 0 ? (
          <p class="dim">{source.active ? "No tick follows." : "While the source is paused, no tick follows."}</p>
        ) : (
          <Table columns={["Next ticks", `Here (${own()})`, zone]} tight>
            {ticks.map((at) => (
              <tr key={at}>
                <td>
                  <Ago at={at} />
                </td>
                <td class="number">{exactTime(at).slice(0, 19)}</td>
                <td class="number">{timeIn(zone, at)}</td>
              </tr>
            ))}
          </Table>
        )}
        <RunTick id={source.id} />
      </div>
    </Part>
  );
}
