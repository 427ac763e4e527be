import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { readPages } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import { attempt } from "../app/notices.ts";
import { exactTime, plural } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/status.tsx";
import { TimeField } from "../ui/time-field.tsx";
import { type EventRange, isPassed, type RangeEvent, type RangePreview, rangeOf, withEvents } from "./event-range.ts";

/** Reads which stored events are in a range, without their payloads. */
async function readPreview(sourceId: string, range: EventRange, signal: AbortSignal): Promise<RangePreview> {
  let preview: RangePreview = { count: 0 };
  const query = { include: "id,indexed_at_ms,metadata" };
  for await (const { data } of readPages<RangeEvent>(`/sources/${sourceId}/event_summaries`, query, signal)) {
    preview = withEvents(preview, data, range);
    if (isPassed(data, range)) break;
  }
  return preview;
}

const Previewed = ({ label, event }: { readonly label: string; readonly event: RangeEvent }): JSX.Element => (
  <>
    <dt>{label}</dt>
    <dd>
      <span class="number nowrap">{exactTime(event.indexed_at_ms)}</span>{" "}
      {event.metadata.summary ?? <code>{event.id}</code>}
    </dd>
  </>
);

interface PreviewProps {
  readonly preview: RangePreview | undefined;
  readonly error: unknown;
}

function Preview({ preview, error }: PreviewProps): JSX.Element {
  if (error !== undefined) return <Problem error={error} />;
  return (
    <div class="stack tight" role="status">
      <p>
        {preview === undefined
          ? "Counting the events…"
          : preview.count === 0
            ? "No event is in this range."
            : `${plural(preview.count, "event")} of all channels will be deleted.`}
      </p>
      {preview?.first && preview.last && (
        <dl class="facts">
          <Previewed label="First" event={preview.first} />
          <Previewed label="Last" event={preview.last} />
        </dl>
      )}
    </div>
  );
}

interface DeleteProps {
  readonly sourceId: string;
  readonly close: () => void;
  readonly deleted: () => void;
}

/** Deletes the events of a time range, after it has shown which. */
export function DeleteEventsDialog({ sourceId, close, deleted }: DeleteProps): JSX.Element {
  const [since, setSince] = useState("");
  const [until, setUntil] = useState("");
  const { data: preview, error } = useResource(`${sourceId} ${since} ${until}`, (signal) =>
    readPreview(sourceId, rangeOf(since, until), signal),
  );
  const count = preview?.count ?? 0;
  async function remove(): Promise<void> {
    // Exactly what was shown: events that have come since then stay.
    const query = { start_id: preview?.first?.id, end_id: preview?.last?.id };
    const done = `${plural(count, "event")} deleted`;
    const worked = await attempt(() => request("DELETE", `/sources/${sourceId}/events`, { query }), done);
    close();
    if (worked) deleted();
  }
  return (
    <Dialog
      title="Delete events"
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button
            look="danger"
            label={count === 0 ? "Delete" : `Delete ${plural(count, "event")}`}
            disabled={count === 0}
            act={remove}
          />
        </>
      }
    >
      <TimeField label="Stored from" value={since} change={setSince} />
      <TimeField label="Until" value={until} change={setUntil} />
      <p class="dim">Without a time the range is open. The dedupe state stays.</p>
      <Preview preview={preview} error={error} />
    </Dialog>
  );
}
