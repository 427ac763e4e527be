import type { ExecutionDetail } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { size, span } from "../text/format.ts";
import { Badge } from "../ui/status.tsx";
import { BodyView } from "./body-view.tsx";
import type { RunCall } from "./execution.ts";
import { Part } from "./part.tsx";
import { type Bar, ticksOf, waterfallOf } from "./waterfall.ts";

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(3)}%`;

const timeOf = (ms: number | undefined): string =>
  ms === undefined ? "not ended" : ms < 10 ? `${ms.toFixed(ms < 1 ? 2 : 1)} ms` : span(ms);

function CallDetail({ call, id }: { readonly call: RunCall; readonly id: string }): JSX.Element {
  return (
    <div class="call-detail" id={id}>
      <p class="mono whole-url">
        {call.method} {call.url}
      </p>
      {call.error !== undefined && <p class="problem">{call.error}</p>}
      <div class="messages">
        <BodyView
          label="Request"
          headers={call.request_headers}
          text={call.request_body}
          base64={call.request_body_base64}
          truncated={call.request_body_truncated}
          bytes={call.request_bytes}
        />
        <BodyView
          label={call.status === null ? "Answer" : `Answer ${call.status}`}
          headers={call.response_headers}
          text={call.response_body}
          base64={call.response_body_base64}
          truncated={call.response_body_truncated}
          bytes={call.response_bytes}
        />
      </div>
    </div>
  );
}

interface RowProps {
  readonly bar: Bar;
  readonly totalMs: number;
  readonly call: RunCall | undefined;
}

/** A URL without its origin: the host and the path are what differs. */
function shortUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed ? `${parsed.host}${parsed.pathname}${parsed.search}` : url;
}

function Label({ bar, call }: Pick<RowProps, "bar" | "call">): JSX.Element {
  if (!call) return <span class={bar.kind === "step" ? "mono" : ""}>{bar.label}</span>;
  return (
    <>
      <Badge tone={bar.failed ? "bad" : "none"}>{call.status ?? "failed"}</Badge>
      <span class="mono cut">
        {call.method} {shortUrl(call.url)}
      </span>
    </>
  );
}

function Row({ bar, totalMs, call }: RowProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const id = `call-${bar.call ?? bar.kind}`;
  const label = <Label bar={bar} call={call} />;
  return (
    <li class={`wf-row ${bar.kind}`}>
      {call ? (
        <button
          type="button"
          class="wf-label row"
          aria-expanded={open}
          aria-controls={id}
          title={bar.label}
          onClick={() => setOpen(!open)}
        >
          {label}
        </button>
      ) : (
        <span class="wf-label row">{label}</span>
      )}
      <span class="wf-track" aria-hidden="true">
        <span
          class={`wf-bar ${bar.kind} ${bar.failed ? "bad" : ""}`}
          style={{
            left: percent(bar.startMs, totalMs),
            width: percent(bar.ms ?? totalMs - bar.startMs, totalMs),
          }}
        />
      </span>
      <span class="wf-time number">
        {timeOf(bar.ms)}
        {call && call.response_bytes !== null && <span class="dim">{size(call.response_bytes)}</span>}
      </span>
      {call && open && <CallDetail call={call} id={id} />}
    </li>
  );
}

/** The phases of a run with its steps and requests, on one axis of time. */
export function WaterfallView({ run }: { readonly run: ExecutionDetail }): JSX.Element {
  const { totalMs, bars } = waterfallOf(run);
  const { calls_omitted: more = 0 } = run;
  return (
    <Part title="Timeline" end={<span class="dim number">{timeOf(totalMs)}</span>} bare>
      <div class="waterfall">
        <div class="wf-axis" aria-hidden="true">
          <span class="wf-track">
            {ticksOf(totalMs).map((at) => (
              <span key={at} class="wf-tick" style={{ left: percent(at, totalMs) }}>
                {at === 0 ? "0" : timeOf(at)}
              </span>
            ))}
          </span>
        </div>
        <ol>
          {bars.map((bar, index) => (
            <Row
              key={index}
              bar={bar}
              totalMs={totalMs}
              call={bar.call === undefined ? undefined : run.calls[bar.call]}
            />
          ))}
        </ol>
        {more > 0 && <p class="dim wf-more">{more} more requests are not kept with the run.</p>}
      </div>
    </Part>
  );
}
