import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";

interface PageHeadProps {
  readonly title: string;
  /** Where the page belongs. */
  readonly crumb?: { readonly label: string; readonly link: string };
  /** Beside the title. */
  readonly children?: ComponentChildren;
  /** Buttons at the end. */
  readonly actions?: ComponentChildren;
}

/** The title of a page, also that of the window. */
export function PageHead({ title, crumb, children, actions }: PageHeadProps): JSX.Element {
  useEffect(() => {
    document.title = `${title} · x inspector`;
  }, [title]);
  return (
    <header class="page-head">
      <h1>
        {crumb && (
          <>
            <a class="crumb" href={crumb.link}>
              {crumb.label}
            </a>
            <span class="crumb" aria-hidden="true">
              /
            </span>
          </>
        )}
        <span>{title}</span>
      </h1>
      {children}
      <span class="grow" />
      {actions && <div class="row wrap">{actions}</div>}
    </header>
  );
}
