import type { ExecutionDetail } from "@x/client";
import type { JSX } from "preact";

import { Fold } from "../ui/fold.tsx";
import { Badge } from "../ui/status.tsx";
import type { RunDbChange } from "./execution.ts";
import { type DiffLine, diffValues } from "./line-diff.ts";
import { Part } from "./part.tsx";

const marks: Readonly<Record<DiffLine["kind"], string>> = { same: " ", removed: "−", added: "+" };

function kindOf(change: RunDbChange): "set" | "added" | "deleted" {
  if (change.truncated) return "set";
  return !("before" in change) ? "added" : "after" in change ? "set" : "deleted";
}

function Change({ change }: { readonly change: RunDbChange }): JSX.Element {
  const kind = kindOf(change);
  return (
    <li class="db-change">
      <div class="row">
        <code class="cut">{change.key}</code>
        <Badge tone={kind === "deleted" ? "bad" : kind === "added" ? "ok" : "none"}>
          {kind === "set" ? "changed" : kind}
        </Badge>
      </div>
      {change.truncated ? (
        <p class="dim">The values are too large to be kept with the run.</p>
      ) : (
        <Fold>
          <pre class="diff">
            {diffValues(change.before, change.after).map(({ kind: line, text }, index) => (
              <span key={index} class={`line ${line}`}>
                <span class="gutter" aria-hidden="true">
                  {marks[line]}
                </span>
                {line !== "same" && <span class="unseen">{line}: </span>}
                {text}
              </span>
            ))}
          </pre>
        </Fold>
      )}
    </li>
  );
}

/** What a run changed in the db of its source. */
export function RunDb({ run }: { readonly run: ExecutionDetail }): JSX.Element | null {
  const { db, db_omitted: more = 0 } = run;
  if (db.length === 0) return null;
  return (
    <Part title="Database" end={<span class="dim number">{run.db_change_count}</span>}>
      <ul class="db-changes">
        {db.map((change) => (
          <Change key={change.key} change={change} />
        ))}
        {more > 0 && <li class="dim">{more} more changes are not kept with the run</li>}
      </ul>
    </Part>
  );
}
