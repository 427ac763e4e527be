import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

import { messageOf } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { CodeEditor } from "../ui/code-editor.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface EventDialogProps {
  readonly title: string;
  /** The verb on the button. */
  readonly action: string;
  /** The event to begin with. */
  readonly event: unknown;
  readonly close: () => void;
  readonly run: (event: unknown) => Promise<void>;
  /** What the event is for. */
  readonly children: ComponentChildren;
}

/** Edits the event of a run. */
export function EventDialog({ title, action, event, close, run, children }: EventDialogProps): JSX.Element {
  const [text, setText] = useState(JSON.stringify(event, null, 2));
  const [problem, setProblem] = useState("");
  async function submit(): Promise<void> {
    let edited: unknown;
    try {
      edited = JSON.parse(text) as unknown;
    } catch (error) {
      setProblem(messageOf(error));
      return;
    }
    close();
    await run(edited);
  }
  return (
    <Dialog
      title={title}
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button look="main-action" label={action} act={submit} />
        </>
      }
    >
      <p class="dim">{children}</p>
      <CodeEditor label="Event" language="json" value={text} change={setText} />
      {problem !== "" && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
