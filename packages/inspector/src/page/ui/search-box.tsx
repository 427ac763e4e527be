import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { useShortcuts } from "../app/shortcuts.ts";
import { Icon } from "./icon.tsx";

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

/** A search that `/` leads to. */
export function SearchBox({ label, value, change }: SearchProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  /** Escape clears the search, and leaves it when it is clear. */
  function leave(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.preventDefault();
    if (value === "") input.current?.blur();
    else change("");
  }
  useShortcuts([{ key: "/", about: label, act: () => input.current?.focus() }]);
  return (
    <div class="search grow">
      <Icon name="search" />
      <input
        ref={input}
        class="input"
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        autocomplete="off"
        spellcheck={false}
        onKeyDown={leave}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {value === "" && <kbd aria-hidden="true">/</kbd>}
    </div>
  );
}
