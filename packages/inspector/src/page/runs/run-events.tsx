import type { ExecutionDetail } from "@x/client";
import type { JSX } from "preact";

import { linkTo } from "../app/router.ts";
import { count, plural, size } from "../text/format.ts";
import { JsonView } from "../ui/json-view.tsx";
import { Badge } from "../ui/status.tsx";
import type { EmitListener, RunDrop, RunEmit } from "./execution.ts";
import { dropsByReason, reasonKind, reasonOf, skipOf } from "./drop-reason.ts";
import { linkToEmitter, linkToRun } from "./run-links.ts";
import { Part } from "./part.tsx";

function Listener({ listener, nameOf }: { readonly listener: EmitListener; readonly nameOf: Names }): JSX.Element {
  const { id, kind, delivery_id: delivery, execution_id: execution, skipped } = listener;
  const link = kind === "webhook" ? linkTo(`/webhooks/${encodeURIComponent(id)}`, { delivery }) : linkToEmitter(id);
  return (
    <li class="row">
      <span class="dim">to {kind}</span>
      <a class="cut" href={link}>
        {nameOf(id)}
      </a>
      {execution !== undefined && <a href={linkToRun(execution)}>its run</a>}
      {skipped !== undefined && <Badge tone="warn">{`skipped: ${skipOf(skipped)}`}</Badge>}
    </li>
  );
}

type Names = (id: string) => string;

/** So many are open at first. */
const fewDrops = 3;

const Payload = ({ of }: { readonly of: RunEmit | RunDrop }): JSX.Element =>
  of.truncated ? (
    <p class="dim">The event has {size(of.payload_bytes)} and is not kept with the run.</p>
  ) : (
    <JsonView value={of.payload} open={1} />
  );

function Labels({ of }: { readonly of: RunEmit | RunDrop }): JSX.Element {
  return (
    <>
      {of.name !== "" && <Badge tone="info">{of.name}</Badge>}
      {of.dedupe_id !== undefined && <span class="mono dim cut">id {of.dedupe_id}</span>}
    </>
  );
}

/** What a run emitted, where each event went, and what was dropped and why. */
export function RunEvents({
  run,
  nameOf,
}: {
  readonly run: ExecutionDetail;
  readonly nameOf: Names;
}): JSX.Element | null {
  const { emitted, dropped, emitted_omitted: moreEmitted = 0, dropped_omitted: moreDropped = 0 } = run;
  if (emitted.length + dropped.length === 0) return null;
  return (
    <Part
      title="Events"
      end={
        <span class="dim number">
          {plural(run.emitted_count, "event")}
          {run.deduped > 0 && `, ${count(run.deduped)} dropped`}
        </span>
      }
    >
      <ul class="run-events">
        {emitted.map((emit) => (
          <li key={emit.id} class="run-event">
            <div class="row wrap">
              <span class="dot ok" aria-hidden="true" />
              <strong class="cut">{emit.summary ?? "Event"}</strong>
              <Labels of={emit} />
            </div>
            <Payload of={emit} />
            {emit.listeners.length > 0 && (
              <ul class="run-listeners">
                {emit.listeners.map((listener) => (
                  <Listener key={listener.id} listener={listener} nameOf={nameOf} />
                ))}
                {(emit.listeners_omitted ?? 0) > 0 && <li class="dim">and {emit.listeners_omitted} more</li>}
              </ul>
            )}
          </li>
        ))}
        {moreEmitted > 0 && <li class="run-event dim">{plural(moreEmitted, "more event")} not kept with the run</li>}
        {dropsByReason(dropped).map(([reason, drops]) => (
          <li key={reason} class="run-event dropped">
            <details open={drops.length <= fewDrops}>
              <summary>
                <Badge tone="warn">{`${count(drops.length)} dropped`}</Badge> {reasonKind(reason)}
              </summary>
              <ul class="drops">
                {drops.map((drop, index) => (
                  <li key={index}>
                    <div class="row wrap">
                      <span class="dot hollow" aria-hidden="true" />
                      <strong class="cut">{drop.summary ?? "Event"}</strong>
                      <Labels of={drop} />
                    </div>
                    <p class="dim">{reasonOf(drop)}</p>
                    <Payload of={drop} />
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
        {moreDropped > 0 && <li class="run-event dim">{plural(moreDropped, "more drop")} not kept with the run</li>}
      </ul>
    </Part>
  );
}
