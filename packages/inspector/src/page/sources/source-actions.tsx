import type { Execution, Source } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt, notify } from "../app/notices.ts";
import { plural } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmedButton } from "../ui/confirmed-button.tsx";

type ActedOn = Pick<Source, "id" | "name" | "active">;

/** Runs a source now, and says how it went. */
async function runNow({ id, name }: ActedOn): Promise<void> {
  await attempt(async () => {
    const { data } = await request<DataOf<Execution>>("POST", `/sources/${id}/run`, { body: { force: true } });
    const emitted = plural(data.emitted?.length ?? 0, "event");
    if (data.status === "ok") notify("done", `${name} ran: ${emitted}`);
    else notify("failed", `${name} failed: ${data.error?.message ?? data.status}`);
  });
}

/** Pauses or resumes a source; resolves with whether it worked. */
const setActive = ({ id, name }: ActedOn, active: boolean): Promise<boolean> =>
  attempt(() => request("PATCH", `/sources/${id}`, { body: { active } }), `${name} is ${active ? "active" : "paused"}`);

/** Deletes a source; resolves with whether it worked. */
const deleteSource = ({ id, name }: ActedOn, ignoreHookErrors = false): Promise<boolean> =>
  attempt(
    () => request("DELETE", `/sources/${id}`, { query: ignoreHookErrors ? { ignore_hook_errors: true } : {} }),
    `${name} is deleted`,
  );

interface ActionsProps {
  readonly source: ActedOn;
  readonly iconOnly?: boolean;
  /** After a run. */
  readonly ran: () => void;
  readonly changed: (active: boolean) => void;
  readonly deleted: () => void;
}

/** Run, pause and delete. */
export function SourceActions({ source, iconOnly = false, ran, changed, deleted }: ActionsProps): JSX.Element {
  const of = iconOnly ? ` ${source.name}` : "";
  const look = iconOnly ? "quiet" : "plain";
  return (
    <>
      <Button
        look={look}
        icon="play"
        label={`Run${iconOnly ? of : " now"}`}
        iconOnly={iconOnly}
        act={() => runNow(source).then(ran)}
      />
      <Button
        look={look}
        icon={source.active ? "pause" : "resume"}
        label={`${source.active ? "Pause" : "Resume"}${of}`}
        iconOnly={iconOnly}
        act={async () => {
          if (await setActive(source, !source.active)) changed(!source.active);
        }}
      />
      <ConfirmedButton
        look={look}
        icon="remove"
        label={`Delete${of}`}
        iconOnly={iconOnly}
        title={`Delete ${source.name}?`}
        action="Delete"
        act={async () => {
          if (await deleteSource(source)) deleted();
        }}
      >
        Its events, its db and its subscriptions are deleted with it. Its deactivate hook runs before.
      </ConfirmedButton>
    </>
  );
}
