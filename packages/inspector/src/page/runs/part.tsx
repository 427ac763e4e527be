import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface PartProps {
  readonly title: string;
  /** At the end of the title's line. */
  readonly end?: ComponentChildren;
  /** Without space around the content. */
  readonly bare?: boolean;
  readonly children: ComponentChildren;
}

/** A part of a page with its title. */
export function Part({ title, end, bare = false, children }: PartProps): JSX.Element {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {end}
      </div>
      {bare ? children : <div class="card-body">{children}</div>}
    </section>
  );
}
