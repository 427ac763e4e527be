import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/text-field.tsx";
import { type ChoiceProps, problemText, saveComponent } from "./saved-component.ts";

/** A component that lies at a URL. */
export function UrlChoice({ choose }: ChoiceProps): JSX.Element {
  const [url, setUrl] = useState("");
  const [problem, setProblem] = useState("");
  async function take(): Promise<void> {
    try {
      choose(await saveComponent({ component_url: url.trim() }));
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        void take();
      }}
    >
      <TextField
        label="URL of the code"
        value={url}
        change={setUrl}
        required
        problem={problem}
        about="Imports beside it are fetched from the same origin."
      />
      <div>
        <Button label="Continue" disabled={url.trim() === ""} act={take} />
      </div>
    </form>
  );
}
