import type { ExecutionDetail } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import type { PageProps } from "../app/page-props.ts";
import { linkTo } from "../app/router.ts";
import { linkToApp } from "../apps/app-link.ts";
import { exactTime, size, span } from "../text/format.ts";
import { CopyButton } from "../ui/button.tsx";
import { Fold } from "../ui/fold.tsx";
import { JsonView } from "../ui/json-view.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Ago, Badge, Loading, Problem } from "../ui/status.tsx";
import { BodyView } from "./body-view.tsx";
import { CodeFrame } from "./code-frame.tsx";
import { useEmitterNames } from "./emitter-names.ts";
import { statusLabel, triggerLabel } from "./execution.ts";
import { RequestView } from "./request-view.tsx";
import { Part } from "./part.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunDb } from "./run-db.tsx";
import { RunEvents } from "./run-events.tsx";
import { RunLogs } from "./run-logs.tsx";
import { linkToEmitter, linkToRun } from "./run-links.ts";
import { WaterfallView } from "./waterfall-view.tsx";

type Names = (id: string) => string;

function Facts({ run, nameOf }: { readonly run: ExecutionDetail; readonly nameOf: Names }): JSX.Element {
  const { cause, app_event: appEvent, replay_of: origin } = run;
  return (
    <dl class="fact-row">
      <div>
        <dt>Run</dt>
        <dd class="row tight">
          <code>{run.execution_id}</code>
          <CopyButton text={run.execution_id} label="Copy the id" iconOnly />
        </dd>
      </div>
      <div>
        <dt>Source</dt>
        <dd>
          <a href={linkToEmitter(run.source_id)}>{nameOf(run.source_id)}</a>
        </dd>
      </div>
      <div>
        <dt>Trigger</dt>
        <dd>
          {triggerLabel(run)}
          {origin !== null && (
            <>
              {" "}
              from <a href={linkToRun(origin)}>the first run</a>
            </>
          )}
          {appEvent && (
            <>
              {" "}
              of <a href={linkToApp(appEvent.app)}>{appEvent.app}</a>: <code>{appEvent.names.join(", ")}</code>
              {appEvent.event_id !== null && <span class="dim"> {appEvent.event_id}</span>}
            </>
          )}
          {cause && (
            <>
              {" "}
              of <a href={linkToEmitter(cause.source_id)}>{nameOf(cause.source_id)}</a>
              {cause.execution_id !== undefined && (
                <>
                  {", "}
                  <a href={linkToRun(cause.execution_id)}>its run</a>
                </>
              )}
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Started</dt>
        <dd>
          <Ago at={run.started_at} /> <span class="dim number">{exactTime(run.started_at)}</span>
        </dd>
      </div>
      <div>
        <dt>Took</dt>
        <dd class="number">
          {span(run.duration_ms)} <span class="dim">{span(run.compute_ms)} computing</span>
        </dd>
      </div>
      <div>
        <dt>Memory</dt>
        <dd class="number">{size(run.memory_bytes)}</dd>
      </div>
    </dl>
  );
}

function Failure({ run }: { readonly run: ExecutionDetail }): JSX.Element | null {
  const { error } = run;
  if (!error) return null;
  return (
    <section class="card failure" aria-label="Error">
      <div class="card-body stack">
        <p class="failure-text">
          <strong>{error.name}</strong> {error.message}
        </p>
        {error.hint !== undefined && <p class="dim">{error.hint}</p>}
        {error.frame !== undefined && <CodeFrame text={error.frame} />}
        <details open={error.frame === undefined}>
          <summary>Stack</summary>
          <Fold>
            <pre class="trace">{error.stack}</pre>
          </Fold>
        </details>
      </div>
    </section>
  );
}

function Received({ run }: { readonly run: ExecutionDetail }): JSX.Element | null {
  if (run.entry !== "run") return null;
  return (
    <Part title="Event" end={<span class="dim number">{size(run.event_bytes)}</span>}>
      <div class="stack">
        {run.request && <RequestView request={run.request} />}
        {run.event_truncated ? (
          <p class="dim">The event is too large to be kept with the run.</p>
        ) : (
          <JsonView value={run.event} open={2} />
        )}
      </div>
    </Part>
  );
}

/** What the client got when the component did not answer it. */
const sentFor = ({ http }: ExecutionDetail): string =>
  http?.status === 200
    ? "The default answer, which is sent before the run begins."
    : "The component gave no response, so the client got this status.";

function Answered({ run }: { readonly run: ExecutionDetail }): JSX.Element {
  const { response, exports, http } = run;
  return (
    <>
      {!response && http && (
        <Part title="Response" end={<Badge tone={http.status < 400 ? "ok" : "bad"}>{http.status}</Badge>}>
          <p class="dim">{sentFor(run)}</p>
        </Part>
      )}
      {response && (
        <Part title="Response" end={<Badge tone={response.status < 400 ? "ok" : "bad"}>{response.status}</Badge>}>
          <BodyView
            label="Answer"
            headers={response.headers}
            text={response.body}
            base64={response.body_base64}
            truncated={response.body_truncated}
            bytes={response.body_bytes}
          />
        </Part>
      )}
      {exports !== undefined && (
        <Part title="Exports">
          <JsonView value={exports} open={2} />
        </Part>
      )}
    </>
  );
}

/** One run with everything that it received and did. */
export default function RunPage({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  const nameOf = useEmitterNames();
  const loaded = useResource(id, (signal) =>
    request<DataOf<ExecutionDetail>>("GET", `/executions/${encodeURIComponent(id)}`, { signal }).then(
      ({ data }) => data,
    ),
  );
  const run = loaded.data;
  const title = run?.summary ?? (run ? nameOf(run.source_id) : "Run");
  return (
    <>
      <PageHead
        title={title}
        crumb={{ label: "Runs", link: linkTo("/runs") }}
        actions={run && <RunActions key={id} run={run} />}
      >
        {run && <Badge tone={run.status === "ok" ? "ok" : "bad"}>{statusLabel(run.status)}</Badge>}
        {run?.undone && <Badge tone="warn">undone</Badge>}
      </PageHead>
      <div class="page-body run-page">
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!run && loaded.loading && <Loading />}
        {run && (
          <>
            <Facts run={run} nameOf={nameOf} />
            <Failure run={run} />
            <WaterfallView run={run} />
            <div class="run-columns">
              <div class="stack">
                <RunEvents run={run} nameOf={nameOf} />
                <RunLogs run={run} />
              </div>
              <div class="stack">
                <RunDb run={run} />
                <Answered run={run} />
                <Received run={run} />
              </div>
            </div>
          </>
        )}
      </div>
    </>
  );
}
