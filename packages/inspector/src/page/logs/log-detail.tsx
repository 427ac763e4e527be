import type { LogSummary } from "@x/client";
import type { JSX } from "preact";

import { levelOf, logText, logValues } from "../runs/log-level.ts";
import { linkToEmitter, linkToRun } from "../runs/run-links.ts";
import { exactTime } from "../text/format.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { JsonView } from "../ui/json-view.tsx";

interface LogDetailProps {
  readonly log: LogSummary;
  readonly name: string;
  readonly close: () => void;
}

/** One log record with its values and its stack. */
export function LogDetail({ log: { event, metadata }, name, close }: LogDetailProps): JSX.Element | null {
  if (event === undefined) return null;
  const text = logText(event);
  return (
    <aside class="detail" aria-label="Log record">
      <div class="card-head">
        <h2 class="cut">{name}</h2>
        <Button look="quiet" icon="close" label="Close the record" iconOnly act={close} />
      </div>
      <div class="card-body stack">
        <dl class="facts">
          <dt>Source</dt>
          <dd>
            <a href={linkToEmitter(metadata.emitter_id)}>{name}</a>
          </dd>
          <dt>Run</dt>
          <dd>
            <a class="mono" href={linkToRun(event.execution_id)}>
              {event.execution_id}
            </a>
          </dd>
          <dt>Logged</dt>
          <dd>{exactTime(event.ts)}</dd>
          <dt>Level</dt>
          <dd>{levelOf(event)}</dd>
          {event.context !== undefined && (
            <>
              <dt>Hook</dt>
              <dd>{event.context}</dd>
            </>
          )}
        </dl>
        <div class="row">
          <h3 class="grow">Text</h3>
          <CopyButton text={() => event.err?.stack ?? text} label="Copy" />
        </div>
        <pre class="raw mono">{event.err?.stack ?? text}</pre>
        {event.err?.hint !== undefined && <p>{event.err.hint}</p>}
        {logValues(event).map((value, index) => (
          <JsonView key={index} value={value} open={2} />
        ))}
      </div>
    </aside>
  );
}
