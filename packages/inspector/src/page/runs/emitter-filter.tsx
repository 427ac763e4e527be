import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";

import { useEmitters } from "./emitter-names.ts";

interface EmitterFilterProps {
  /** The id of a source or workflow; empty: all. */
  readonly value: string;
  readonly change: (id: string) => void;
}

const mostOffered = 20;

/** One source or workflow, found by the beginning of its name. */
export function EmitterFilter({ value, change }: EmitterFilterProps): JSX.Element {
  const id = useId();
  const emitters = useEmitters();
  const labelOf = (emitterId: string): string => emitters.get(emitterId) ?? emitterId;
  const [text, setText] = useState(value);
  useEffect(() => setText(value === "" ? "" : labelOf(value)), [value, emitters]);
  const found = [...emitters].filter(([, name]) => name.toLowerCase().includes(text.toLowerCase()));
  function take(next: string): void {
    setText(next);
    const [same] = [...emitters].find(([emitterId, name]) => name === next || emitterId === next) ?? [""];
    if (next === "" || same !== "") change(same);
  }
  return (
    <>
      <input
        class="input small emitter-filter"
        type="search"
        aria-label="Source"
        placeholder="All sources"
        list={id}
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => take(event.currentTarget.value)}
        onBlur={() => setText(value === "" ? "" : labelOf(value))}
      />
      <datalist id={id}>
        {found.slice(0, mostOffered).map(([emitterId, name]) => (
          <option key={emitterId} value={name} />
        ))}
      </datalist>
    </>
  );
}
