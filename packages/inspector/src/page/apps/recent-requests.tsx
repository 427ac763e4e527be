import type { ReceivedRequest } from "@x/client";
import type { JSX } from "preact";

import { Part } from "../runs/part.tsx";
import { count, span } from "../text/format.ts";
import { Ago, Badge, type Tone } from "../ui/status.tsx";
import { Table } from "../ui/table.tsx";

const tones: Readonly<Record<ReceivedRequest["outcome"], Tone>> = {
  delivered: "ok",
  duplicate: "none",
  unmatched: "warn",
  challenge: "info",
  rejected: "bad",
  unreadable: "bad",
  failed: "bad",
};

function Row({ entry }: { readonly entry: ReceivedRequest }): JSX.Element {
  const { at, outcome, reason, names, event_id: id, triggers, skipped, duration_ms: ms } = entry;
  return (
    <tr>
      <td>
        <Ago at={at} />
      </td>
      <td>
        <Badge tone={tones[outcome]}>{outcome}</Badge> {reason !== null && reason.replaceAll("_", " ")}
      </td>
      <td class="mono">{names.join(", ")}</td>
      <td class="mono" title={id ?? undefined}>
        <span class="cut event-id">{id}</span>
      </td>
      <td class="number">
        {count(triggers)}
        {skipped > 0 && (
          <>
            {" "}
            <Badge tone="warn">{`${count(skipped)} skipped`}</Badge>
          </>
        )}
      </td>
      <td class="number nowrap">{span(ms)}</td>
    </tr>
  );
}

/** How the last requests to the endpoint of an app ended. */
export function RecentRequests({ requests }: { readonly requests: readonly ReceivedRequest[] }): JSX.Element {
  return (
    <Part title="Recent requests" bare>
      {requests.length === 0 ? (
        <div class="card-body">
          <p>No request yet.</p>
          <p class="dim">Paste the URL at the service. What it sends appears here, also what is refused.</p>
        </div>
      ) : (
        <div class="scroll-x" tabIndex={0} role="group" aria-label="Recent requests">
          <Table columns={["Time", "Outcome", "Names", "Event id", "Runs", "Took"]}>
            {requests.map((entry, index) => (
              <Row key={`${entry.at} ${index}`} entry={entry} />
            ))}
          </Table>
        </div>
      )}
    </Part>
  );
}
