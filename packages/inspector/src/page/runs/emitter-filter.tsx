import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";

import { typingMs } from "../app/typed-search.ts";
import { findEmitters, useEmitterNames } from "./emitter-names.ts";

interface EmitterFilterProps {
  /** The id of a source or workflow; empty: all. */
  readonly value: string;
  readonly change: (id: string) => void;
}

/** One source or workflow, found by a part of its name. */
export function EmitterFilter({ value, change }: EmitterFilterProps): JSX.Element {
  const id = useId();
  const nameOf = useEmitterNames();
  const label = value === "" ? "" : nameOf(value);
  const [text, setText] = useState(label);
  const [isFocused, setFocused] = useState(false);
  const [emitters, setEmitters] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => setText(label), [label]);
  const [same] = [...emitters].find(([emitterId, name]) => name === text || emitterId === text) ?? [""];
  useEffect(() => {
    if (text !== label && (text === "" || same !== "")) change(same);
  }, [text, same]);
  useEffect(() => {
    if (!isFocused) return undefined;
    const stop = new AbortController();
    const find = (): void => void findEmitters(text, stop.signal).then(setEmitters, () => undefined);
    const timer = setTimeout(find, typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, isFocused]);
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
        onFocus={() => setFocused(true)}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => {
          setFocused(false);
          setText(label);
        }}
      />
      <datalist id={id}>
        {[...emitters.values()].map((name, index) => (
          <option key={index} value={name} />
        ))}
      </datalist>
    </>
  );
}
