import type { ExecutionDetail } from "@x/client";
import type { JSX } from "preact";

import { span } from "../text/format.ts";
import { JsonView } from "../ui/json-view.tsx";
import { levelOf, logText, logValues } from "./log-level.ts";
import { Part } from "./part.tsx";

/** What a run logged, in order, each with its time since the start. */
export function RunLogs({ run }: { readonly run: ExecutionDetail }): JSX.Element | null {
  const { logs, logs_omitted: before = 0, started_at: start } = run;
  if (logs.length === 0) return null;
  return (
    <Part title="Logs" end={<span class="dim number">{logs.length + before}</span>} bare>
      <ol class="log-lines">
        {before > 0 && <li class="dim">{before} earlier ones are not kept with the run</li>}
        {logs.map((log, index) => (
          <li key={index} class={`log-line ${levelOf(log)}`}>
            <span class="dim number">{log.ts < start ? "" : `+${span(log.ts - start)}`}</span>
            <span class="log-level">{levelOf(log)}</span>
            <div>
              <span class="log-text">{logText(log)}</span>
              {logValues(log).map((value, at) => (
                <JsonView key={at} value={value} open={0} />
              ))}
            </div>
          </li>
        ))}
      </ol>
    </Part>
  );
}
