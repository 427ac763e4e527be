import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { Button } from "../ui/button.tsx";
import { CodeEditor } from "../ui/code-editor.tsx";
import { ComponentProblem } from "./component-problem.tsx";
import { type ChoiceProps, problemText, saveComponent } from "./saved-component.ts";

const example = `export default {
  name: "Ticks",
  version: "0.1.0",
  props: {
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
    word: { type: "string", default: "tick", optional: true },
  },
  run(event) {
    this.$emit({ word: this.word, at: event.timestamp }, { summary: this.word });
  },
};
`;

/** Code that is pasted or written here. */
export function CodeChoice({ choose }: ChoiceProps): JSX.Element {
  const [code, setCode] = useState(example);
  const [problem, setProblem] = useState("");
  async function take(): Promise<void> {
    try {
      setProblem("");
      choose(await saveComponent({ component_code: code }));
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  return (
    <div class="stack">
      <CodeEditor label="Code of the component" language="javascript" value={code} change={setCode} />
      <ComponentProblem text={problem} />
      <div>
        <Button look="main-action" label="Continue" act={take} />
      </div>
    </div>
  );
}
