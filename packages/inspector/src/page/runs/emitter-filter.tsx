import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";

import { readEmitters, useEmitterNames } from "./emitter-names.ts";

interface EmitterFilterProps {
  /** The id of a source or workflow; empty: all. */
  readonly value: string;
  readonly change: (id: string) => void;
}

const maxOffered = 20;

/** One source or workflow, found by a part of its name. */
export function EmitterFilter({ value, change }: EmitterFilterProps): JSX.Element {
  const id = useId();
  const nameOf = useEmitterNames();
  const label = value === "" ? "" : nameOf(value);
  const [text, setText] = useState(label);
  const [emitters, setEmitters] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => setText(label), [label]);
  const [same] = [...emitters].find(([emitterId, name]) => name === text || emitterId === text) ?? [""];
  useEffect(() => {
    if (text !== label && (text === "" || same !== "")) change(same);
  }, [text, same]);
  const found = [...emitters.values()].filter((name) => name.toLowerCase().includes(text.toLowerCase()));
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
        onFocus={() => {
          if (emitters.size === 0) void readEmitters().then(setEmitters, () => undefined);
        }}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => setText(label)}
      />
      <datalist id={id}>
        {found.slice(0, maxOffered).map((name, index) => (
          <option key={index} value={name} />
        ))}
      </datalist>
    </>
  );
}
