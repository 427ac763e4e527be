import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

import { count } from "../text/format.ts";
import { hasWords } from "../text/words.ts";
import { Button } from "./button.tsx";
import { SearchBox } from "./search-box.tsx";
import { Empty } from "./status.tsx";

interface LongListProps<T> {
  /** What the search is called. */
  readonly label: string;
  readonly items: readonly T[];
  /** What a search looks in. */
  readonly textsOf: (item: T) => readonly (string | null | undefined)[];
  /** Shows some of the items. */
  readonly children: (shown: readonly T[]) => ComponentChildren;
}

const step = 100;

/** A list of any length: the first items, more of them when asked, and a search where there are more. */
export function LongList<T>({ label, items, textsOf, children }: LongListProps<T>): JSX.Element {
  const [text, setText] = useState("");
  const [most, setMost] = useState(step);
  const found = items.filter((item) => hasWords(textsOf(item), text));
  const left = found.length - most;
  return (
    <>
      {items.length > step && (
        <div class="long-search">
          <SearchBox
            label={label}
            value={text}
            change={(next) => {
              setText(next);
              setMost(step);
            }}
          />
        </div>
      )}
      {found.length === 0 && text.trim() !== "" ? <Empty title="Nothing matches" /> : children(found.slice(0, most))}
      {left > 0 && (
        <div class="card-body">
          <Button label={`Show more of ${count(left)}`} act={() => setMost(most + step)} />
        </div>
      )}
    </>
  );
}
