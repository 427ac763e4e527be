import type { ExecutionDetail } from "@x/client";
import type { JSX } from "preact";

import { linkTo } from "../app/router.ts";
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

interface ChangeProps {
  readonly change: RunDbChange;
  /** The data store of the key. */
  readonly store?: string;
}

function Change({ change, store }: ChangeProps): JSX.Element {
  const kind = kindOf(change);
  return (
    <li class="db-change">
      <div class="row">
        {store !== undefined && <a href={linkTo(`/data-stores/${encodeURIComponent(store)}`)}>{store}</a>}
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

interface ChangesProps {
  readonly title: string;
  readonly count: number;
  readonly omitted: number | undefined;
  readonly children: readonly JSX.Element[];
}

/** A part of the page; nothing without changes. */
function Changes({ title, count, omitted = 0, children }: ChangesProps): JSX.Element | null {
  if (children.length === 0) return null;
  return (
    <Part title={title} end={<span class="dim number">{count}</span>}>
      <ul class="db-changes">
        {children}
        {omitted > 0 && <li class="dim">{omitted} more changes are not kept with the run</li>}
      </ul>
    </Part>
  );
}

/** What a run changed in the db of its source, and in data stores. */
export const RunDb = ({ run }: { readonly run: ExecutionDetail }): JSX.Element => (
  <>
    <Changes title="Database" count={run.db_change_count} omitted={run.db_omitted}>
      {run.db.map((change) => (
        <Change key={change.key} change={change} />
      ))}
    </Changes>
    <Changes title="Data stores" count={run.data_store_change_count} omitted={run.data_stores_omitted}>
      {run.data_stores.map((change) => (
        <Change key={`${change.name} ${change.key}`} change={change} store={change.name} />
      ))}
    </Changes>
  </>
);
