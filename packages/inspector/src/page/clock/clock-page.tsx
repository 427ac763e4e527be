import type { Webhook } from "@x/client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { readAll } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { attempt, notify } from "../app/notices.ts";
import { advanceClock, manualTime, readManualClock } from "../app/manual-clock.ts";
import { linkTo } from "../app/router.ts";
import { Part } from "../runs/part.tsx";
import { exactTime, plural, relative } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Badge, Empty, Loading, Problem } from "../ui/status.tsx";
import { Table } from "../ui/table.tsx";
import { TextField } from "../ui/text-field.tsx";
import { type Due, dueUntil, parseSpan, type PendingDelivery, type TimedSource } from "./due.ts";

interface Upcoming {
  readonly sources: readonly TimedSource[];
  readonly deliveries: readonly PendingDelivery[];
  readonly webhooks: readonly Webhook[];
}

const most = 10_000;

async function loadUpcoming(signal: AbortSignal): Promise<Upcoming> {
  const fields = { expand: "state", include: "id,name,configured_props,state" };
  const [sources, webhooks] = await Promise.all([
    readAll<TimedSource>("/users/me/sources", fields, most, signal),
    readAll<Webhook>("/users/me/webhooks", {}, most, signal),
  ]);
  const lists = await Promise.all(
    webhooks.map(({ id }) => readAll<PendingDelivery>(`/webhooks/${id}/deliveries`, {}, most, signal)),
  );
  return { sources, webhooks, deliveries: lists.flat() };
}

const choices = ["1m", "5m", "1h", "1d"].map((value) => ({ value, label: value }));
const maxShown = 200;

const linkOf = ({ kind, id }: Due): string => linkTo(`/${kind === "tick" ? "sources" : "webhooks"}/${id}`);

const DueRow = ({ due, now }: { readonly due: Due; readonly now: number }): JSX.Element => (
  <tr>
    <td class="number nowrap">{exactTime(due.at)}</td>
    <td class="nowrap dim">{relative(due.at, now)}</td>
    <td>
      <Badge tone={due.kind === "tick" ? "info" : "warn"}>{due.kind === "tick" ? "tick" : "delivery"}</Badge>
    </td>
    <td>
      <a href={linkOf(due)}>{due.name}</a>
      {due.times > 1 && <span class="dim"> {plural(due.times, "time")}</span>}
    </td>
  </tr>
);

function Preview({ due, now }: { readonly due: readonly Due[]; readonly now: number }): JSX.Element {
  if (due.length === 0) return <Empty title="Nothing becomes due" />;
  return (
    <div class="scroll-x" tabIndex={0} role="group" aria-label="What becomes due">
      <Table columns={["At", "From now", "What", "Of"]}>
        {due.slice(0, maxShown).map((each, index) => (
          <DueRow key={index} due={each} now={now} />
        ))}
      </Table>
      {due.length > maxShown && <p class="dim card-body">and {plural(due.length - maxShown, "more")}</p>}
    </div>
  );
}

/** The manual clock: what becomes due, and moving it. */
export default function ClockPage(): JSX.Element {
  const [span, setSpan] = useState("5m");
  const time = manualTime.value;
  const loaded = useResource(`due ${time}`, loadUpcoming);
  useEffect(() => void readManualClock(), []);
  const ms = parseSpan(span);
  const { sources = [], deliveries = [], webhooks = [] } = loaded.data ?? {};
  const nameOf = (id: string): string => {
    const webhook = webhooks.find((each) => each.id === id);
    return webhook?.name ?? webhook?.url ?? id;
  };
  const end = time === undefined || ms === undefined ? undefined : time + ms;
  const due = end === undefined ? [] : dueUntil(end, sources, deliveries, nameOf);
  const advance = (): Promise<boolean> =>
    attempt(async () => {
      const { steps, coalesced } = await advanceClock(ms ?? 0);
      notify("done", `${plural(steps, "due time")} ran${coalesced ? ", ticks coalesced" : ""}`);
    });
  if (time === undefined)
    return (
      <>
        <PageHead title="Clock" />
        <Empty title="The clock of this service runs by itself">
          <p>A service that was started with --clock manual shows here what becomes due, and moves its time.</p>
        </Empty>
      </>
    );
  return (
    <>
      <PageHead title="Clock">
        <span class="number">{exactTime(time)}</span>
        <Badge tone="warn">manual</Badge>
      </PageHead>
      <div class="page-body">
        <Part title="Advance">
          <div class="stack">
            <Chips label="Advance by" value={span} choices={choices} change={setSpan} />
            <TextField
              label="Advance by"
              value={span}
              change={setSpan}
              about={end === undefined ? "" : `to ${exactTime(end)}`}
              problem={ms === undefined ? "Write a span such as 90s, 5m or 1h 30m" : ""}
            />
            <div>
              <Button
                look="main-action"
                icon="play"
                label={`Advance ${span}`}
                disabled={ms === undefined}
                act={advance}
              />
            </div>
          </div>
        </Part>
        <Part title="What becomes due" bare end={<span class="dim number">{due.length}</span>}>
          {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
          {loaded.data ? <Preview due={due} now={time} /> : loaded.loading && <Loading />}
        </Part>
      </div>
    </>
  );
}
