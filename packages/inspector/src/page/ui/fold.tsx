import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Shows the first 20 lines of what is longer, until all of it is asked for. */
export function Fold({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const content = useRef<HTMLDivElement>(null);
  const [whole, setWhole] = useState(false);
  const [isLong, setLong] = useState(false);
  useLayoutEffect(() => {
    const element = content.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setLong(element.offsetHeight > (element.parentElement?.clientHeight ?? 0)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <div class="fold">
      <div class="fold-box" data-whole={whole}>
        <div ref={content}>{children}</div>
      </div>
      {isLong && !whole && (
        <button type="button" class="fold-more" onClick={() => setWhole(true)}>
          Show all
        </button>
      )}
    </div>
  );
}
