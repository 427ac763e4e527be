import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Icon } from "../ui/icon.tsx";
import { ComponentProblem } from "./component-problem.tsx";
import { type ChoiceProps, problemText, saveComponent } from "./saved-component.ts";

const isCode = /\.[cm]?[jt]s$/;
const maxBytes = 8_000_000;

/** Why files cannot be taken; empty when they can. */
function refusalOf(files: readonly File[]): string {
  const [file] = files;
  if (!file) return "";
  if (files.length > 1) return "One file at a time: a component of several files is deployed with x deploy FILE.";
  if (!isCode.test(file.name)) return `${file.name} is no .js or .ts file.`;
  return file.size > maxBytes ? `${file.name} is larger than 8 MB.` : "";
}

/** A file from the reader's machine, chosen or dropped anywhere on the page. */
export function FileChoice({ choose }: ChoiceProps): JSX.Element {
  const [problem, setProblem] = useState("");
  const [isOver, setOver] = useState(false);
  async function take(files: readonly File[]): Promise<void> {
    const [file] = files;
    const refusal = refusalOf(files);
    setProblem(refusal);
    if (!file || refusal !== "") return;
    try {
      const body = { component_files: { [file.name]: await file.text() }, component_entry: file.name };
      choose(await saveComponent(body));
    } catch (error) {
      setProblem(`${file.name}\n${problemText(error)}`);
    }
  }
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    // Without this the browser would open the file instead of the page.
    function over(event: DragEvent): void {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(event.type === "dragover");
    }
    addEventListener("dragover", over, { signal });
    addEventListener("dragleave", over, { signal });
    addEventListener(
      "drop",
      (event) => {
        over(event);
        void take([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => stop.abort();
  }, []);
  return (
    <>
      <label class="drop" data-over={isOver}>
        <input
          class="unseen"
          type="file"
          accept=".js,.mjs,.cjs,.ts,.mts,.cts"
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            // The same file may be chosen again after it was mended.
            currentTarget.value = "";
            void take(files);
          }}
        />
        <Icon name="deploy" />
        <span>
          <strong>Drop a file, or choose one</strong>
          <span class="dim">.js or .ts; npm packages that it imports are installed</span>
        </span>
      </label>
      <ComponentProblem text={problem} />
    </>
  );
}
