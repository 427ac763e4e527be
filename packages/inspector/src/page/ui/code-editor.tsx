import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface CodeEditorProps {
  /** What is edited, for those who do not see it. */
  readonly label: string;
  readonly language: "json" | "javascript";
  /** The text at first; the editor keeps its own afterwards. */
  readonly value: string;
  readonly change: (value: string) => void;
}

/** An editor of code. Its library is loaded when the first one is shown; a plain field serves until then. */
export function CodeEditor({ label, language, value, change }: CodeEditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const latest = useRef(change);
  latest.current = change;
  const first = useRef(value);
  useEffect(() => {
    let close: (() => void) | undefined;
    let left = false;
    void import("./editor.ts").then(({ openEditor }) => {
      if (left || !place.current) return;
      setReady(true);
      close = openEditor(place.current, {
        label,
        language,
        value: first.current,
        change: (text) => latest.current(text),
      });
    });
    return () => {
      left = true;
      close?.();
    };
  }, [label, language]);
  return (
    <>
      <div ref={place} class="editor" hidden={!ready} />
      {!ready && (
        <textarea
          class="input mono"
          aria-label={label}
          rows={8}
          value={value}
          onInput={(event) => {
            first.current = event.currentTarget.value;
            change(first.current);
          }}
        />
      )}
    </>
  );
}
