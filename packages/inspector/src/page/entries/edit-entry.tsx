import type { DbEntry } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { attempt } from "../app/notices.ts";
import { Button } from "../ui/button.tsx";
import { CodeEditor } from "../ui/code-editor.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** The path of an entry. `path`: of the list. */
export const entryPath = (path: string, key: string): string => `${path}/${encodeURIComponent(key)}`;

interface EditProps {
  readonly path: string;
  /** Undefined for a new one. */
  readonly entry: DbEntry | undefined;
  readonly close: () => void;
  readonly saved: () => void;
}

/** Changes the value of a key, or adds one. */
export function EditEntry({ path, entry, close, saved }: EditProps): JSX.Element {
  const [key, setKey] = useState(entry?.key ?? "");
  const [text, setText] = useState(JSON.stringify(entry?.value ?? null, null, 2));
  const [problem, setProblem] = useState("");
  async function save(): Promise<void> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "Not JSON");
      return;
    }
    if (key === "") {
      setProblem("Give a key");
      return;
    }
    if (!(await attempt(() => request("PUT", entryPath(path, key), { body: { value } }), `${key} is saved`))) return;
    close();
    saved();
  }
  return (
    <Dialog
      title={entry ? `Edit ${entry.key}` : "New key"}
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button look="main-action" label="Save" act={save} />
        </>
      }
    >
      {!entry && (
        <label class="field">
          <span class="field-label">Key</span>
          <input class="input mono" value={key} onInput={({ currentTarget }) => setKey(currentTarget.value)} />
        </label>
      )}
      <CodeEditor label="Value as JSON" language="json" value={text} change={setText} />
      {problem !== "" && (
        <div class="field-problem" role="alert">
          {problem}
        </div>
      )}
    </Dialog>
  );
}
