import type { AppEventResult } from "@x/client";
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";

import { messageOf, request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { linkTo } from "../app/router.ts";
import { useEmitterNames } from "../runs/emitter-names.ts";
import { Part } from "../runs/part.tsx";
import { Button } from "../ui/button.tsx";
import { LongList } from "../ui/long-list.tsx";
import { TextField } from "../ui/text-field.tsx";
import { type EventDraft, eventOf } from "./event-draft.ts";

interface SentProps {
  readonly result: AppEventResult;
  readonly again: () => Promise<void>;
}

/** What became of the event. */
function Sent({ result: { duplicate, sources }, again }: SentProps): JSX.Element {
  const nameOf = useEmitterNames();
  if (duplicate)
    return (
      <div class="row wrap" role="status">
        <span class="grow">A duplicate: the app has seen the id within a day.</span>
        <Button label="Send it again" act={again} />
      </div>
    );
  if (sources.length === 0) return <p role="status">No source gets it: none listens to it for this account.</p>;
  return (
    <div role="status">
      <p>Sent. The runs of</p>
      <LongList label="Search sources" items={sources} textsOf={(id) => [nameOf(id)]}>
        {(shown) => (
          <ul class="sent-to">
            {shown.map((id) => (
              <li key={id}>
                <a href={linkTo(`/sources/${encodeURIComponent(id)}/runs`, { trigger: "app" })}>{nameOf(id)}</a>
              </li>
            ))}
          </ul>
        )}
      </LongList>
    </div>
  );
}

interface SendProps {
  readonly app: string;
  /** The name to begin with. */
  readonly first: string;
}

/** Sends an event to the sources that listen, as if the service had sent it. */
export function SendTestEvent({ app, first }: SendProps): JSX.Element {
  const id = useId();
  const [draft, setDraft] = useState<EventDraft>({ names: first, account: "", id: "", data: "{}" });
  const [result, setResult] = useState<AppEventResult>();
  const [problem, setProblem] = useState("");
  const set = (part: Partial<EventDraft>): void => setDraft((old) => ({ ...old, ...part }));
  async function send(force: boolean): Promise<void> {
    setResult(undefined);
    setProblem("");
    try {
      const body = { events: [eventOf(draft)], force };
      const path = `/apps/${encodeURIComponent(app)}/events`;
      setResult((await request<DataOf<readonly AppEventResult[]>>("POST", path, { body })).data[0]);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }
  return (
    <Part title="Send test event">
      <div class="stack">
        <TextField label="Names" value={draft.names} change={(names) => set({ names })} about="Separated by commas" />
        <TextField
          label="Account"
          value={draft.account}
          change={(account) => set({ account })}
          about="Fields of $auth, such as team_id=T1. None: all accounts"
        />
        <TextField
          label="Id"
          value={draft.id}
          change={(next) => set({ id: next })}
          about="Optional. The same id within a day is a duplicate"
        />
        <div class="field">
          <label class="field-label" for={id}>
            Data
          </label>
          <textarea
            id={id}
            class="input mono"
            rows={6}
            spellcheck={false}
            value={draft.data}
            onInput={({ currentTarget }) => set({ data: currentTarget.value })}
          />
        </div>
        {problem !== "" && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
        <div class="row">
          <Button look="main-action" icon="play" label="Send test event" act={() => send(false)} />
        </div>
        {result && <Sent result={result} again={() => send(true)} />}
      </div>
    </Part>
  );
}
