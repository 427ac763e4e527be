import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { useShortcuts } from "../app/shortcuts.ts";
import { visibleRange } from "./visible-range.ts";

export interface Column {
  readonly label: string;
  /** Its width as a track of a grid. */
  readonly width: string;
  readonly end?: boolean;
  readonly hidden?: boolean;
}

interface VirtualListProps<T> {
  /** What the list is called. */
  readonly label: string;
  readonly columns: readonly Column[];
  /** The grid of a row; default: the columns. */
  readonly tracks?: string;
  readonly rowHeight: number;
  readonly items: readonly T[];
  /** How many there are with those that are not read yet; default: the items. */
  readonly count?: number | undefined;
  /** Whether `more` would read some now. */
  readonly hasMore?: boolean;
  /** Called when the last items are nearly visible. */
  readonly more?: () => void;
  readonly keyOf: (item: T) => string;
  /** The cells of a row, as many as there are columns. */
  readonly cells: (item: T) => readonly ComponentChildren[];
  /** The key of the row that is shown elsewhere in the page. */
  readonly current?: string | undefined;
  /** For a click on a row beside its links and buttons, and for Enter on the active row. */
  readonly open?: (item: T) => void;
  /** Told which rows are visible. */
  readonly shown?: (items: readonly T[]) => void;
}

const overscan = 8;
/** More rows are asked for when fewer than so many are left below. */
const ahead = 40;

interface Box {
  readonly top: number;
  readonly height: number;
}

/** Follows how far an element is scrolled, and its height. */
function useBox(): {
  readonly scroll: { current: HTMLDivElement | null };
  readonly box: Box;
  readonly read: () => void;
} {
  const scroll = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState<Box>({ top: 0, height: 0 });
  function read(): void {
    const element = scroll.current;
    if (element) setBox({ top: element.scrollTop, height: element.clientHeight });
  }
  useLayoutEffect(() => {
    const watch = new ResizeObserver(read);
    if (scroll.current) watch.observe(scroll.current);
    read();
    return () => watch.disconnect();
  }, []);
  return { scroll, box, read };
}

/** A list of any length with rows of one height: only the visible rows are in the page. `j`, `k` and Enter work in it. */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { label, columns, rowHeight, items, count = items.length, keyOf, cells, current, open, shown } = props;
  const { hasMore = false, more } = props;
  const { scroll, box, read } = useBox();
  const [active, setActive] = useState(-1);
  /** A key may come before the row of the last one is drawn. */
  const chosen = useRef(-1);
  const { first, last } = visibleRange({ ...box, rowHeight, count: items.length, overscan });
  const rows = items.slice(first, last);

  function choose(row: number): void {
    chosen.current = row;
    setActive(row);
  }

  function move(step: number): void {
    const next = Math.min(items.length - 1, Math.max(0, chosen.current + step));
    choose(next);
    const element = scroll.current;
    if (!element) return;
    const top = next * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  }
  useShortcuts([
    { key: "j", about: "Next row", act: () => move(1) },
    { key: "k", about: "Previous row", act: () => move(-1) },
    {
      key: "Enter",
      about: "Open the row",
      act() {
        const item = items[chosen.current];
        if (item !== undefined) open?.(item);
      },
    },
  ]);
  const shownKeys = rows.map(keyOf).join(" ");
  useEffect(() => shown?.(rows), [shownKeys]);
  useEffect(() => {
    if (last > items.length - ahead) more?.();
  }, [last, items.length, hasMore]);

  const shownColumns = columns.filter(({ hidden }) => !hidden);
  const tracks = props.tracks ?? shownColumns.map(({ width }) => width).join(" ");
  return (
    <div class="table" role="table" aria-label={label} aria-rowcount={count + 1} style={{ "--columns": tracks }}>
      <div role="rowgroup">
        <div class="table-head" role="row" aria-rowindex={1}>
          {shownColumns.map((column) => (
            <span key={column.label} role="columnheader" class={column.end ? "to-end" : ""}>
              {column.label}
            </span>
          ))}
        </div>
      </div>
      <div class="table-scroll" role="rowgroup" ref={scroll} onScroll={read} tabIndex={0} aria-label={`${label}: rows`}>
        <div class="table-space" role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
          {rows.map((item, index) => {
            const at = first + index;
            return (
              <div
                key={keyOf(item)}
                class="table-row"
                role="row"
                aria-rowindex={at + 2}
                data-active={at === active || keyOf(item) === current}
                style={{ height: `${rowHeight}px`, transform: `translateY(${at * rowHeight}px)` }}
                onClick={(event) => {
                  choose(at);
                  // A link or button does what it says, and marked text is copied.
                  const isControl = event.target instanceof Element && event.target.closest("a, button, input, select");
                  if (!isControl && getSelection()?.isCollapsed !== false) open?.(item);
                }}
              >
                {cells(item).map((cell, index) => {
                  const column = columns[index];
                  if (!column || column.hidden) return null;
                  return (
                    <div key={column.label} role="cell" class={`row cell-${index} ${column.end ? "to-end" : ""}`}>
                      {cell}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
